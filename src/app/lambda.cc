#include "app/lambda.h"

#include "base/clock.h"
#include "loop/loop.h"
#include "projection/shards.h"
#include "store/dynamodb/statistics/statistics.h"
#include "store/dynamodb/stream/event.h"

namespace quire {
namespace {

using change::Change;
using change::Phase;

constexpr int most_rounds = 8;
constexpr std::size_t changes_at_once = 500;
constexpr std::uint64_t a_while_ms = 60'000;

using Time = std::chrono::steady_clock::time_point;

// Of the function, with an event.
struct Call {
  std::vector<Change> changes;
  bool records;            // of comments, or of anything else in the table
  std::uint64_t as_of_ms;  // what was written before then has come
  Time until;              // when it must be answered
};

Status must_follow(const std::string& what, const change::State& state) {
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
Awaitable<Status> apply(change::Target& target, const std::string& what,
                        std::vector<Change> changes, std::uint64_t as_of_ms) {
  for (int round = 0; round < most_rounds; ++round) {
    auto state = co_await target.state();
    if (!state) co_return state.error();
    auto follows = must_follow(what, *state);
    if (!follows) co_return follows;
    auto before = state->marks[projection::lambda_mark];
    change::Mark after{changes.empty() ? before.place : changes.back().place, false,
                       std::max(as_of_ms, before.as_of_ms)};
    change::Step step{state->epoch, projection::lambda_mark, before, after, changes, {}};
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

Awaitable<Applied> apply_to_index(change::Target& index, const Call& call) {
  const auto& changes = call.changes;
  Applied out;
  do {
    auto end = std::min(changes.size(), out.changes + changes_at_once);
    std::vector<Change> some(changes.begin() + static_cast<std::ptrdiff_t>(out.changes),
                             changes.begin() + static_cast<std::ptrdiff_t>(end));
    if (std::chrono::steady_clock::now() >= call.until) {
      out.why = "The time of the call is over.";
      break;
    }
    auto applied = co_await apply(index, "page index", std::move(some), call.as_of_ms);
    if (!applied) {
      out.why = applied.error().message;
      break;
    }
    out.changes = end;
  } while (out.changes < changes.size());
  co_return out;
}

Awaitable<Applied> apply_to_statistics(dynamodb::TableStatistics& statistics, const Call& call) {
  auto state = co_await statistics.state();
  Status follows = Done{};
  if (state)
    follows = must_follow("statistics", *state);
  else
    follows = state.error();
  if (!follows) co_return Applied{0, follows.error().message};
  auto now_s = system_ms() / 1000;
  auto once = co_await statistics.apply_once(*state, call.changes, now_s, call.until);
  if (once.failed) co_return Applied{once.changes, once.failed->message};
  auto before_ms = state->marks[projection::lambda_mark].as_of_ms;
  // The mark comes back as a record itself: sooner that is no reason for another.
  if (call.records && call.changes.empty() && call.as_of_ms < before_ms + a_while_ms)
    co_return Applied{};
  auto told = co_await statistics.put_as_of(*state, std::max(call.as_of_ms, before_ms));
  co_return Applied{call.changes.size(), told ? "" : told.error().message};
}

}  // namespace

Awaitable<Result<std::string>> handle_event(OpenProjection& open, std::string text, Time until) {
  auto event = dynamodb::decode_event(text);
  if (!event)
    co_return Error{ErrorCode::invalid_parameter, "This is no event of a table's stream."};
  if (!event->table.empty() && event->table != open.table())
    co_return Error{ErrorCode::invalid_parameter, "These are records of the table " + event->table +
                                                      ", and this follows " + open.table() + "."};
  open.note(event->damaged);
  bool records = !event->first.empty();
  auto as_of_ms = records ? std::min(event->made_ms, system_ms()) : system_ms();
  Call call{std::move(event->changes), records, as_of_ms, until};
  std::size_t done = call.changes.size();
  std::string why;
  // The index first: what it takes twice does it no harm, where the statistics come less far.
  const auto& followed = open.followed();
  for (auto at = followed.rbegin(); at != followed.rend(); ++at) {
    const auto& each = *at;
    Applied applied;
    if (each.target == &open.statistics())
      applied = co_await apply_to_statistics(open.statistics(), call);
    else
      applied = co_await apply_to_index(*each.target, call);
    done = std::min(done, applied.changes);
    if (!applied.why.empty()) why = applied.why;
  }
  if (!why.empty() && done == 0) co_return Error{ErrorCode::unavailable, why};
  if (done == call.changes.size()) co_return dynamodb::event_answer({});
  co_return dynamodb::event_answer(call.changes[done].place);
}

}  // namespace quire
