#include "store/dynamodb/comments/commits.h"

#include <algorithm>
#include <functional>

#include "base/try.h"
#include "loop/loop.h"

namespace quire::dynamodb {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int max_lost = 40;  // races of one group with other servers

bool worth_another_round(const Answer& answer) {
  // A transaction that may still be under way must not be sent under another token.
  return answer.failure->kind == FailureKind::condition ||
         (answer.failure->kind == FailureKind::conflict && !answer.unclear);
}

Error too_busy() {
  return {ErrorCode::unavailable,
          "Too many writes to the same product are waiting. Try again in a moment."};
}

constexpr Races::Milliseconds shortest{5}, longest{100};  // race that is reckoned with
constexpr int courtesies = 4;                             // races that the winner leaves the others
constexpr int max_doublings = 2;                          // of a loser's wait

}  // namespace

Awaitable<Result<Outcome>> Commits::make(std::vector<CommentWrite> writes, std::optional<Item> key,
                                         std::uint64_t now_s) {
  std::set<std::string> products;  // whose lists get comments
  for (const auto& write : writes)
    if (write.after) products.insert(write.after->product);
  auto needs_more = [](const CommentWrite& write) {
    return !removes_damaged(write) && (moves_comment(write) || !write.beside.empty());
  };
  bool together = by_write() && (key || std::any_of(writes.begin(), writes.end(), needs_more));
  Result<Outcome> outcome = Outcome{};
  if (together) {
    std::optional<KeyPut> put;
    if (key) put = KeyPut{std::move(*key), now_s};
    outcome = co_await make_together(std::move(writes), std::move(put));
  } else {
    outcome = co_await make_each(std::move(writes));
  }
  // Also after an error: the table may have the comments.
  for (const auto& product : products) empty_lists_.note_write(product);
  co_return outcome;
}

Awaitable<Result<Outcome>> Commits::make_each(std::vector<CommentWrite> writes) {
  Outcome outcome;
  for (auto next = writes.begin(); next != writes.end();) {
    std::vector<Awaitable<Result<Outcome>>> works;
    for (; next != writes.end() && works.size() < max_concurrent; ++next)
      works.push_back(make_alone(std::move(*next)));
    auto results = co_await all(std::move(works));
    for (const auto& result : results) {
      if (!result) co_return result.error();
      outcome.made.push_back(result->made.front());
      outcome.beside |= result->beside;
    }
  }
  co_return outcome;
}

// The products come in the same order everywhere, so that no deadlock arises.
Awaitable<Result<Outcome>> Commits::make_together(std::vector<CommentWrite> writes,
                                                  std::optional<KeyPut> key) {
  Deadline deadline = Clock::now() + max_wait;
  Submission submission(context_, std::move(writes), std::move(key));
  std::list<Queues::Place> places;
  for (const auto& product : submission.room.products()) {
    places.emplace_back(queues_, product, submission);
    bool leads = co_await places.back().enter(deadline);
    if (leads) continue;
    if (!submission.result) co_return too_busy();
    co_return std::move(*submission.result);
  }
  co_await lead(submission, places, deadline);
  if (!submission.result) co_return too_busy();
  co_return std::move(*submission.result);
}

// Returns without a result if other servers were faster all the time.
Awaitable<void> Commits::lead(Submission& submission, std::list<Queues::Place>& places,
                              Deadline deadline) {
  Races::Run run(races_, submission.room.products());
  auto yield_delay = run.yield_delay();
  if (yield_delay.count() > 0 && !submission.alone) co_await client_.pause_up_to(yield_delay);
  Group group(submission, run.room());
  Lost lost{.race = false, .caller = false};
  for (int i = 0; i < max_lost && Clock::now() < deadline; ++i) {
    run.start();
    auto totals = co_await totals_for(group.products(), lost.race);
    if (!totals) co_return group.fail(totals.error());
    // A caller that falls out lets no other in, who might fall out in turn.
    for (auto& place : places) {
      if (!lost.caller) place.gather(group);
    }
    auto transaction = group.transaction(*totals, leader_shards_);
    auto call = transact(client_.table(), transaction.actions);
    auto answer = co_await client_.send(std::move(call));
    if (!answer.failure) {
      for (auto& [product, after] : transaction.totals) totals_.put(product, std::move(after));
      run.win();
      co_return group.succeed();
    }
    for (const auto& product : group.products()) totals_.forget(product);
    if (answer.failure->kind == FailureKind::throttled) run.shrink(transaction.actions.size());
    lost = refuse(group, transaction, answer);
    if (submission.result) co_return;
    if (!lost.race) continue;
    run.lose();
    co_await client_.pause_up_to(run.retry_delay());
  }
}

Commits::Lost Commits::refuse(Group& group, const Transaction& transaction, const Answer& answer) {
  bool invalid = answer.failure->kind == FailureKind::permanent && !answer.unclear;
  if (invalid && group.shared()) {
    group.part();
    return {.race = false, .caller = true};
  }
  if (!worth_another_round(answer)) {
    group.fail(error_of(*answer.failure));
    return {.race = false, .caller = true};
  }
  auto refused = group.refuse(transaction, *answer.failure);
  bool race =
      refused.statistics || answer.failure->kind == FailureKind::conflict || !refused.caller;
  return {.race = race, .caller = refused.caller};
}

Awaitable<Result<KnownTotals>> Commits::totals_for(const std::set<std::string>& products,
                                                   bool fresh) {
  KnownTotals out;
  for (const auto& product : products) {
    // Not as one conditional expression: g++ 12 then ends the result's life too early.
    Result<Known<Totals>> known = Known<Totals>{};
    if (fresh)
      known = co_await totals_.fetch(product);
    else
      known = co_await totals_.known(product);
    if (!known) co_return known.error();
    out.emplace(product, std::move(known->value));
  }
  co_return out;
}

// If the condition fails after an unclear try, that try may have been applied.
Awaitable<Result<Outcome>> Commits::make_alone(CommentWrite write) {
  if (!write.beside.empty()) co_return co_await make_with_beside(std::move(write));
  Action action = action_of(write);
  const std::string& table = client_.table();
  bool puts = action.kind == Action::Kind::put;
  auto call = puts ? put_item(table, action.item, action.condition, Repeat::safe)
                   : delete_item(table, action.item, action.condition, Repeat::safe);
  auto answer = co_await client_.send(std::move(call));
  if (!answer.failure) co_return Outcome{{true}};
  if (answer.failure->kind != FailureKind::condition) co_return error_of(*answer.failure);
  if (!answer.unclear) co_return Outcome{{false}};
  Item key = key_of(action.item.at("PK").text, action.item.at("SK").text);
  CO_TRY(auto there, co_await client_.get(std::move(key)));
  const auto& item = there.item;
  bool as_wanted = puts ? item && *item == action.item : !item;
  co_return Outcome{{as_wanted}};
}

// The transaction of a write whose product's statistics are not kept by it.
Awaitable<Result<Outcome>> Commits::make_with_beside(CommentWrite write) {
  std::vector<Action> actions{action_of(write)};
  actions.insert(actions.end(), write.beside.begin(), write.beside.end());
  for (int round = 0; round < max_rounds; ++round) {
    auto answer = co_await client_.send(transact(client_.table(), actions));
    if (!answer.failure) co_return Outcome{{true}};
    if (!worth_another_round(answer)) co_return error_of(*answer.failure);
    if (answer.failure->kind == FailureKind::condition) {
      Outcome outcome{{false}};
      outcome.beside = !answer.failure->refused(0);
      co_return outcome;
    }
    co_await client_.pause(round);
  }
  co_return too_busy();
}

Races::Run::Run(Races& races, const std::set<std::string>& products) : races_(races) {
  for (const auto& product : products)
    slots_.insert(std::hash<std::string>()(product) % races.slots_.size());
}

Races::Milliseconds Races::Run::yield_delay(Clock::time_point now) const {
  bool due = std::any_of(slots_.begin(), slots_.end(), [&](std::size_t i) {
    return races_.slots_[i].won && races_.slots_[i].contended_until > now;
  });
  return due ? courtesies * races_.duration_ : Milliseconds(0);
}

void Races::Run::win() {
  auto took = std::chrono::duration_cast<Milliseconds>(Clock::now() - started_);
  races_.duration_ = std::clamp((3 * races_.duration_ + took) / 4, shortest, longest);
  for (auto i : slots_) {
    Slot& slot = races_.slots_[i];
    slot.won = true;
    slot.room = std::min(slot.room + 1, max_actions);
  }
}

void Races::Run::lose() {
  ++lost_;
  for (auto i : slots_) {
    races_.slots_[i].contended_until = Clock::now() + remembered;
    races_.slots_[i].won = false;
  }
}

Races::Milliseconds Races::Run::retry_delay() const {
  return races_.duration_ * (1 << std::min(lost_, max_doublings));
}

std::size_t Races::Run::room() const {
  auto room = max_actions;
  for (auto i : slots_) room = std::min(room, races_.slots_[i].room);
  return room;
}

void Races::Run::shrink(std::size_t actions) {
  for (auto i : slots_) {
    Slot& slot = races_.slots_[i];
    slot.room = std::max<std::size_t>(std::min(slot.room, actions) / 2, 1);
  }
}

}  // namespace quire::dynamodb
