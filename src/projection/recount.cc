#include "projection/recount.h"

#include <algorithm>

#include "projection/catch_up.h"
#include "projection/compare.h"
#include "projection/shards.h"

namespace quire::projection {

// The recount's index, with notes of the last change of each shard. A mark does not tell it: marks
// move over records that are about no comment, too.
class Recount::Noted : public Target {
 public:
  explicit Noted(Recount& recount) : recount_(recount) {}

  bool holds_facets() const override { return recount_.index_->holds_facets(); }
  Awaitable<Result<State>> state() override { return recount_.index_->state(); }
  Awaitable<Status> reset(State state) override {
    recount_.told_.clear();
    for (const auto& [shard, mark] : state.marks) {
      if (!is_segment(shard)) recount_.told_[shard].ended = mark.ended;
    }
    return recount_.index_->reset(std::move(state));
  }
  Awaitable<Result<bool>> turn(std::string epoch, Phase from, Phase to) override {
    return recount_.index_->turn(std::move(epoch), from, to);
  }
  Awaitable<Result<bool>> apply(Step step) override {
    if (!is_segment(step.shard)) {
      auto& told = recount_.told_[step.shard];
      told.ended |= step.after.ended;
      if (!step.changes.empty()) {
        told.sequence = step.changes.back().sequence;
        told.id = step.changes.back().id;
      }
    }
    return recount_.index_->apply(std::move(step));
  }

 private:
  Recount& recount_;
};

bool Recount::within(const State& state) const {
  return std::all_of(told_.begin(), told_.end(), [&](const auto& each) {
    const auto& [shard, told] = each;
    if (!told.ended && told.sequence.empty()) return true;
    auto at = state.marks.find(shard);
    if (at == state.marks.end()) return false;
    const auto& mark = at->second;
    return mark.ended || (!told.ended && not_after(told.sequence, mark.read_to));
  });
}

Awaitable<Status> Recount::count(Source& source, std::size_t segments, Progress& progress) {
  Building options{.segments = segments, .again = true, .falter = pace_.falter};
  Noted noted(*this);
  auto built = co_await backfill(source, noted, new_name(), options, progress);
  if (!built) co_return built.error();
  co_return co_await catch_up(source);
}

Awaitable<Status> Recount::catch_up(Source& source) {
  Worker::Options options{"recount-" + new_name(), "only", pace_};
  Noted noted(*this);
  co_return co_await projection::catch_up(source, noted, std::move(options), patience_);
}

Awaitable<Result<State>> Recount::state() {
  auto state = co_await index_->state();
  if (!state) co_return state.error();
  std::erase_if(state->marks, [](const auto& mark) { return is_segment(mark.first); });
  co_return state;
}

Awaitable<Result<Totals>> Recount::totals(std::string product) {
  Totals totals;
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

Awaitable<Result<std::vector<std::string>>> all_products(StatisticsTarget& statistics,
                                                         Recount& recount, std::string after) {
  auto counted = co_await recount.index().products(after, products_at_once);
  if (!counted) co_return counted.error();
  auto named = co_await statistics.products(after, products_at_once);
  if (!named) co_return named.error();
  co_return both(*counted, *named, products_at_once);
}

}  // namespace quire::projection
