#include "projection/lambda.h"

#include <algorithm>

#include "base/clock.h"
#include "base/try.h"
#include "loop/loop.h"
#include "projection/follower.h"

namespace quire::projection {
namespace {

constexpr int max_rounds = 48;
constexpr std::size_t changes_at_once = 500;
constexpr std::uint64_t a_while_ms = 60'000;

Status must_be_lambdas(const std::string& what, const State& state) {
  bool lambdas = state.marks.contains(lambda_mark);
  if (state.phase == Phase::following && lambdas) return Done{};
  if (state.phase == Phase::following) {
    return Error{ErrorCode::unavailable, "quire project keeps the " + what +
                                             " in step. To have it kept by quire lambda, run quire "
                                             "backfill --lambda --again."};
  }
  return Error{ErrorCode::unavailable,
               "The " + what + " does not follow the table: run quire backfill --lambda."};
}

// After a refused step, at random, since calls that were refused together would meet again.
Milliseconds rest_after(int round) {
  const int longest = 10 << std::min(round, 4);
  return Milliseconds(system_entropy()[0] * longest / 255);
}

// All calls of the function move one mark. The call whose step is refused reads the mark again.
Awaitable<Status> apply_some(Target& target, const std::string& what, std::vector<Change> changes,
                             std::uint64_t as_of_ms, std::chrono::steady_clock::time_point until) {
  for (int round = 0; round < max_rounds; ++round) {
    if (round > 0 && std::chrono::steady_clock::now() >= until) break;
    CO_TRY(auto state, co_await target.state());
    auto follows = must_be_lambdas(what, state);
    if (!follows) co_return follows;
    auto before = state.marks[lambda_mark];
    Mark after{changes.empty() ? before.read_to : changes.back().sequence, false,
               std::max(as_of_ms, before.as_of_ms)};
    Step step{state.epoch, lambda_mark, before, after, changes, {}};
    for (const auto& [shard, unused] : state.marks) {
      if (is_segment(shard)) step.forget.push_back(shard);
    }
    CO_TRY(auto applied, co_await target.apply(std::move(step)));
    if (applied) co_return Done{};
    co_await pause(rest_after(round));
  }
  co_return Error{ErrorCode::unavailable,
                  "Too many calls of the function apply changes at the same time."};
}

struct Applied {
  std::size_t changes = 0;  // so many from the first on
  std::string why = {};     // not more of them
};

Awaitable<Applied> apply_to_index(Target& index, const Batch& batch) {
  const auto& changes = batch.changes;
  Applied out;
  do {
    auto end = std::min(changes.size(), out.changes + changes_at_once);
    std::vector<Change> some(changes.begin() + static_cast<std::ptrdiff_t>(out.changes),
                             changes.begin() + static_cast<std::ptrdiff_t>(end));
    if (std::chrono::steady_clock::now() >= batch.until) {
      out.why = "The time of the call is over.";
      break;
    }
    auto applied =
        co_await apply_some(index, "page index", std::move(some), batch.as_of_ms, batch.until);
    if (!applied) {
      out.why = applied.error().message;
      break;
    }
    out.changes = end;
  } while (out.changes < changes.size());
  co_return out;
}

Awaitable<Applied> apply_to_statistics(StatisticsTarget& statistics, const Batch& batch) {
  auto state = co_await statistics.state();
  Status follows = Done{};
  if (state)
    follows = must_be_lambdas("statistics", *state);
  else
    follows = state.error();
  if (!follows) co_return Applied{0, follows.error().message};
  auto now_s = system_ms() / 1000;
  auto once = co_await statistics.apply_once(*state, batch.changes, now_s, batch.until);
  if (once.failed) co_return Applied{once.changes, once.failed->message};
  auto before_ms = state->marks[lambda_mark].as_of_ms;
  // The mark is an item of the table, so writing it gives a record, and another call. Without this
  // the calls would never end.
  if (batch.records && batch.changes.empty() && batch.as_of_ms < before_ms + a_while_ms)
    co_return Applied{};
  auto told = co_await statistics.put_as_of(*state, std::max(batch.as_of_ms, before_ms));
  co_return Applied{batch.changes.size(), told ? "" : told.error().message};
}

}  // namespace

Awaitable<Result<std::optional<std::string>>> apply_batch(const ProjectedTable& table,
                                                          Batch batch) {
  std::size_t done = batch.changes.size();
  std::string why;
  // The page index first: where the statistics apply fewer changes, it takes the rest twice, which
  // does it no harm.
  for (auto at = table.followed.rbegin(); at != table.followed.rend(); ++at) {
    Applied applied;
    if (at->target == &table.statistics)
      applied = co_await apply_to_statistics(table.statistics, batch);
    else
      applied = co_await apply_to_index(*at->target, batch);
    done = std::min(done, applied.changes);
    if (!applied.why.empty()) why = applied.why;
  }
  if (!why.empty() && done == 0) co_return Error{ErrorCode::unavailable, why};
  if (done == batch.changes.size()) co_return std::optional<std::string>();
  co_return std::optional(batch.changes[done].sequence);
}

}  // namespace quire::projection
