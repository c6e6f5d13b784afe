#include "wiring/lambda.h"

#include "base/clock.h"
#include "loop/loop.h"
#include "projection/shards.h"
#include "store/dynamodb/event.h"
#include "store/dynamodb/statistics.h"

namespace quire {
namespace {

using projection::Change;
using projection::Phase;

constexpr int most_rounds = 8;
constexpr std::size_t changes_at_once = 500;

Status must_follow(const std::string& what, const projection::State& state) {
  bool ours = state.marks.contains(projection::lambda_mark);
  if (state.phase == Phase::following && ours) return Done{};
  if (state.phase == Phase::following) {
    return Error{ErrorCode::unavailable, "quire project keeps the " + what +
                                             " in step. To have it kept by quire lambda, run quire "
                                             "backfill --lambda --again."};
  }
  return Error{ErrorCode::unavailable,
               "The " + what + " does not follow the table: run quire backfill --lambda."};
}

// Calls at once each move the one mark; whoever is slower looks again. The changes themselves may
// be applied in any number.
Awaitable<Status> apply(projection::Target& target, const std::string& what,
                        std::vector<Change> changes, std::uint64_t as_of_ms) {
  for (int round = 0; round < most_rounds; ++round) {
    auto state = co_await target.state();
    if (!state) co_return state.error();
    auto follows = must_follow(what, *state);
    if (!follows) co_return follows;
    auto before = state->marks[projection::lambda_mark];
    projection::Mark after{changes.empty() ? before.place : changes.back().place, false,
                           std::max(as_of_ms, before.as_of_ms)};
    projection::Step step{state->epoch, projection::lambda_mark, before, after, changes, {}};
    for (const auto& [shard, unused] : state->marks) {
      if (projection::is_segment(shard)) step.forget.push_back(shard);
    }
    auto applied = co_await target.apply(std::move(step));
    if (!applied) co_return applied.error();
    if (*applied) co_return Done{};
    co_await pause(Milliseconds(10 << round));
  }
  co_return Error{ErrorCode::unavailable, "Too many apply changes at once."};
}

struct Applied {
  std::size_t changes = 0;  // of the first
  std::string why = {};     // no more
};

Awaitable<Applied> apply_to_index(projection::Target& index, const std::vector<Change>& changes,
                                  std::uint64_t as_of_ms) {
  Applied out;
  do {
    auto end = std::min(changes.size(), out.changes + changes_at_once);
    std::vector<Change> some(changes.begin() + static_cast<std::ptrdiff_t>(out.changes),
                             changes.begin() + static_cast<std::ptrdiff_t>(end));
    auto applied = co_await apply(index, "page index", std::move(some), as_of_ms);
    if (!applied) {
      out.why = applied.error().message;
      break;
    }
    out.changes = end;
  } while (out.changes < changes.size());
  co_return out;
}

Awaitable<Applied> apply_to_statistics(dynamodb::TableStatistics& statistics,
                                       const std::vector<Change>& changes, std::uint64_t as_of_ms) {
  auto state = co_await statistics.state();
  Status follows = Done{};
  if (state)
    follows = must_follow("statistics", *state);
  else
    follows = state.error();
  if (!follows) co_return Applied{0, follows.error().message};
  auto once = co_await statistics.apply_once(*state, changes, system_ms() / 1000);
  if (once.failed) co_return Applied{once.changes, once.failed->message};
  as_of_ms = std::max(as_of_ms, state->marks[projection::lambda_mark].as_of_ms);
  auto told = co_await statistics.put_as_of(*state, as_of_ms);
  co_return Applied{changes.size(), told ? "" : told.error().message};
}

}  // namespace

Awaitable<Result<std::string>> handle_event(OpenProjection& open, std::string text) {
  auto event = dynamodb::decode_event(text);
  if (!event)
    co_return Error{ErrorCode::invalid_parameter, "This is no event of a table's stream."};
  if (!event->table.empty() && event->table != open.table())
    co_return Error{ErrorCode::invalid_parameter, "These are records of the table " + event->table +
                                                      ", and this follows " + open.table() + "."};
  auto as_of_ms = event->first.empty() ? system_ms() : std::min(event->made_ms, system_ms());
  std::size_t done = event->changes.size();
  std::string why;
  for (const auto& each : open.followed()) {
    Applied applied;
    if (each.target == &open.statistics())
      applied = co_await apply_to_statistics(open.statistics(), event->changes, as_of_ms);
    else
      applied = co_await apply_to_index(*each.target, event->changes, as_of_ms);
    done = std::min(done, applied.changes);
    if (!applied.why.empty()) why = applied.why;
  }
  if (!why.empty() && done == 0) co_return Error{ErrorCode::unavailable, why};
  if (done == event->changes.size()) co_return dynamodb::event_answer({});
  co_return dynamodb::event_answer(event->changes[done].place);
}

}  // namespace quire
