#include "projection/recount.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"
#include "loop/loop.h"
#include "projection/compare.h"
#include "projection/follower.h"

namespace quire::projection {

namespace {

struct Goal {
  std::uint64_t until_ms;
  Milliseconds stall_timeout;
};

Error stuck(Milliseconds stall_timeout, const std::string& trouble) {
  return {ErrorCode::unavailable,
          fmt::format("The stream could not be caught up with: it moved no further for {} s. "
                      "{}",
                      std::chrono::duration<double>(stall_timeout).count(),
                      trouble.empty() ? "See the log." : trouble)};
}

// Runs beside the worker, and stops it at the goal. The worker itself looks only once a beat; the
// marks tell sooner. Shards that begin after the stream was described hold nothing that is waited
// for. A mark that is forgotten meanwhile shows in the worker's status.
Awaitable<Status> watch(Source& source, Target& target, Worker& worker, Goal goal, Pace pace) {
  auto stream = co_await source.stream();
  bool there = false;
  std::map<std::string, Mark> marks;
  auto moved = std::chrono::steady_clock::now();
  while (!there && worker.status().phase != Phase::lost &&
         std::chrono::steady_clock::now() < moved + goal.stall_timeout) {
    co_await pause(stream ? pace.wait_step : pace.poll);
    if (!stream) stream = co_await source.stream();
    auto state = co_await target.state();
    if (state && state->marks != marks) {
      marks = state->marks;
      moved = std::chrono::steady_clock::now();
    }
    there = worker.status().as_of_ms >= goal.until_ms ||
            (stream && state && as_of_ms(*state, *stream) >= goal.until_ms);
  }
  worker.stop();
  if (there) co_return Done{};
  auto status = worker.status();
  if (status.phase == Phase::lost) co_return Error{ErrorCode::unavailable, status.trouble};
  co_return stuck(goal.stall_timeout, status.trouble);
}

Awaitable<Status> work(Worker& worker) {
  co_await worker.run();
  co_return Done{};
}

}  // namespace

Awaitable<Status> catch_up(Source& source, Target& target, Worker::Options options,
                           Milliseconds stall_timeout) {
  auto state = co_await target.state();
  if (state && (state->phase == Phase::empty || state->phase == Phase::lost))
    co_return Error{ErrorCode::unavailable,
                    "The target does not follow the stream. Run quire backfill."};
  // A target that is as of a time may lack changes of that very millisecond. One that was built in
  // this millisecond is as of now from the start, and may be amid the records from before.
  Goal goal{options.clock() + 1, stall_timeout};
  auto pace = options.pace;
  Worker worker(source, target, std::move(options));
  std::vector<Awaitable<Status>> works;
  works.push_back(watch(source, target, worker, goal, pace));
  works.push_back(work(worker));
  auto ended = co_await all(std::move(works));
  if (!ended.front()) co_return ended.front().error();
  co_return Done{};
}

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
  Awaitable<Result<bool>> change_phase(std::string epoch, Phase from, Phase to) override {
    return recount_.index_->change_phase(std::move(epoch), from, to);
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
  Building options{.segments = segments, .again = true, .retry_delay = pace_.retry_delay};
  Noted noted(*this);
  CO_TRY_DONE(co_await backfill(source, noted, new_name(), options, progress));
  co_return co_await catch_up(source);
}

Awaitable<Status> Recount::catch_up(Source& source) {
  Worker::Options options{"recount-" + new_name(), "only", pace_};
  Noted noted(*this);
  co_return co_await projection::catch_up(source, noted, std::move(options), stall_timeout_);
}

Awaitable<Result<State>> Recount::state() {
  auto state = co_await index_->state();
  if (!state) co_return state.error();
  std::erase_if(state->marks, [](const auto& mark) { return is_segment(mark.first); });
  co_return state;
}

Awaitable<Result<Totals>> Recount::totals(std::string product) {
  Totals totals;
  CO_TRY(auto languages, co_await index_->languages(product));
  languages.push_back(any);
  auto ranks = index_->ranks();
  for (auto language : languages) {
    std::vector<Cell> lists;
    for (FacetValue rating = 1; rating <= 5; ++rating) lists.push_back({language, rating});
    CO_TRY(auto lengths, co_await ranks->lengths(product, lists));
    RatingCounts counts{};
    std::copy(lengths.begin(), lengths.end(), counts.begin());
    if (std::any_of(counts.begin(), counts.end(), [](auto count) { return count > 0; }))
      totals[language] = counts;
  }
  co_return totals;
}

Awaitable<Result<std::vector<std::string>>> all_products(StatisticsTarget& statistics,
                                                         Recount& recount, std::string after) {
  CO_TRY(auto counted, co_await recount.index().products(after, products_at_once));
  CO_TRY(auto named, co_await statistics.products(after, products_at_once));
  co_return both(counted, named, products_at_once);
}

}  // namespace quire::projection
