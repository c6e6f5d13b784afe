#include "app/recount.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/clock.h"
#include "page_index/lmdb/index.h"
#include "projection/catch_up.h"
#include "projection/compare.h"
#include "projection/shards.h"

namespace quire {

std::string new_name() {
  return Ulid::make(system_ms(), system_entropy()).text();
}

Result<std::unique_ptr<Recount>> Recount::make(Milliseconds poll, std::chrono::seconds patience) {
  std::error_code failed;
  auto parent = std::filesystem::temp_directory_path(failed);
  std::string directory = (parent / "quire-recount-XXXXXX").string();
  if (failed || !mkdtemp(directory.data())) {
    return Error{ErrorCode::unavailable, "Cannot make a directory under " + parent.string() + ": " +
                                             std::strerror(errno) + ". Set TMPDIR."};
  }
  auto index = page_index::LmdbIndex::open(directory, Access::write);
  // Its files live as long as they are open.
  std::filesystem::remove_all(directory, failed);
  if (!index) return index.error();
  return std::unique_ptr<Recount>(new Recount(std::move(*index), poll, patience));
}

// Its index, which notes how far the changes reach: a mark goes further, over what is no comment's.
class Recount::Noted : public change::Target {
 public:
  explicit Noted(Recount& recount) : recount_(recount) {}

  Awaitable<Result<change::State>> state() override { return recount_.index_->state(); }
  Awaitable<Status> reset(change::State state) override {
    recount_.told_.clear();
    for (const auto& [shard, mark] : state.marks) {
      if (!projection::is_segment(shard)) recount_.told_[shard].ended = mark.ended;
    }
    return recount_.index_->reset(std::move(state));
  }
  Awaitable<Result<bool>> turn(std::string epoch, change::Phase from, change::Phase to) override {
    return recount_.index_->turn(std::move(epoch), from, to);
  }
  Awaitable<Result<bool>> apply(change::Step step) override {
    if (!projection::is_segment(step.shard)) {
      auto& told = recount_.told_[step.shard];
      told.ended |= step.after.ended;
      if (!step.changes.empty()) {
        told.place = step.changes.back().place;
        told.id = step.changes.back().id;
      }
    }
    return recount_.index_->apply(std::move(step));
  }

 private:
  Recount& recount_;
};

bool Recount::within(const change::State& state) const {
  return std::all_of(told_.begin(), told_.end(), [&](const auto& each) {
    const auto& [shard, told] = each;
    if (!told.ended && told.place.empty()) return true;
    auto at = state.marks.find(shard);
    if (at == state.marks.end()) return false;
    return at->second.ended || (!told.ended && dynamodb::not_after(told.place, at->second.place));
  });
}

Awaitable<Status> Recount::count(projection::Source& source, std::size_t segments,
                                 projection::Progress& progress) {
  projection::Building options{segments, true};
  Noted noted(*this);
  auto built = co_await projection::backfill(source, noted, new_name(), options, progress);
  if (!built) co_return built.error();
  co_return co_await catch_up(source);
}

Awaitable<Status> Recount::catch_up(projection::Source& source) {
  projection::Worker::Options options{"recount-" + new_name(), "only", pace_};
  Noted noted(*this);
  co_return co_await projection::catch_up(source, noted, std::move(options), patience_);
}

Awaitable<Result<change::State>> Recount::state() {
  auto state = co_await index_->state();
  if (!state) co_return state.error();
  std::erase_if(state->marks, [](const auto& mark) { return projection::is_segment(mark.first); });
  co_return state;
}

Awaitable<Result<dynamodb::Totals>> Recount::totals(std::string product) {
  dynamodb::Totals totals;
  auto languages = co_await index_->languages(product);
  if (!languages) co_return languages.error();
  languages->push_back(any);
  auto ranks = index_->ranks();
  for (auto language : *languages) {
    std::vector<Cell> lists;
    for (FacetValue rating = 1; rating <= 5; ++rating) lists.push_back({language, rating});
    auto lengths = co_await ranks->lengths(product, lists);
    if (!lengths) co_return lengths.error();
    RatingCounts counts{};
    std::copy(lengths->begin(), lengths->end(), counts.begin());
    if (std::any_of(counts.begin(), counts.end(), [](auto count) { return count > 0; }))
      totals[language] = counts;
  }
  co_return totals;
}

Awaitable<Result<std::vector<std::string>>> all_products(dynamodb::TableStatistics& statistics,
                                                         Recount& recount, std::string after) {
  auto counted = co_await recount.index().products(after, products_at_once);
  if (!counted) co_return counted.error();
  auto named = co_await statistics.products(after, products_at_once);
  if (!named) co_return named.error();
  co_return projection::both(*counted, *named, products_at_once);
}

}  // namespace quire
