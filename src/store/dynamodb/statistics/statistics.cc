#include "store/dynamodb/statistics/statistics.h"

#include <algorithm>

#include "base/clock.h"
#include "base/try.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {
namespace {

using change::Mark;
using change::Phase;
using change::State;
using change::Step;

// The actions of a step's changes; the rest of a transaction is for marks.
constexpr std::size_t max_step_actions = 85;

std::vector<Action> replace_marks(const State& old, const State& state) {
  std::vector<Action> actions;
  for (const auto& [shard, mark] : state.marks) {
    Item item = mark_item(statistics_projection, state.epoch, shard, mark);
    actions.push_back({Action::Kind::put, std::move(item)});
  }
  for (const auto& [shard, mark] : old.marks) {
    if (!state.marks.contains(shard))
      actions.push_back({Action::Kind::remove, mark_key(statistics_projection, shard)});
  }
  return actions;
}

// The part of a step from this change on that fits a transaction.
Step part_of(const Step& step, std::size_t from) {
  auto changes = std::span(step.changes).subspan(from);
  auto some = changes.first(fitting(changes, max_step_actions));
  Step part{step.epoch, step.shard, step.before, step.after, {some.begin(), some.end()}};
  if (some.size() == changes.size()) {
    part.forget.assign(step.forget.begin(),
                       step.forget.begin() + std::min<std::ptrdiff_t>(std::ssize(step.forget), 5));
  } else {
    part.after = {some.back().sequence, false, step.before ? step.before->as_of_ms : 0};
  }
  return part;
}

}  // namespace

Awaitable<Result<bool>> TableStatistics::apply(Step step) {
  return access_.loop.run([](TableStatistics& self, Step step) -> Awaitable<Result<bool>> {
    auto pass = co_await self.gate_.enter(std::chrono::steady_clock::now() + max_wait);
    if (!pass) co_return busy_statistics();
    // Statistics do not know attributes.
    std::erase_if(step.changes, [](const auto& change) { return !change::moves(change); });
    std::size_t from = 0;
    do {
      Step part = part_of(step, from);
      from += part.changes.size();
      Mark after = part.after;
      auto made = co_await self.make(std::move(part));
      if (!made || !*made) co_return made;
      step.before = after;
    } while (from < step.changes.size());
    co_return true;
  }(*this, std::move(step)));
}

Awaitable<Result<bool>> TableStatistics::make(Step step) {
  std::set<std::string> products;
  for (const auto& change : step.changes) products.insert(change.product);
  bool fresh = false;
  for (int round = 0; round < max_rounds; ++round) {
    CO_TRY(auto totals, co_await totals_of(products, fresh));
    StatisticsDelta delta(totals, access_.address.leaders);
    for (const auto& change : step.changes)
      delta.move(change.product, cell_of(change.from), cell_of(change.to));
    std::vector<Action> actions{
        {Action::Kind::put, mark_item(statistics_projection, step.epoch, step.shard, step.after),
         mark_is(step.epoch, step.before)}};
    // A mark names its epoch. Without a mark, the state is asked.
    if (!step.before) {
      CO_TRY(auto state, co_await read_state(access_.client));
      if (state.epoch.empty() || state.epoch != step.epoch) co_return false;
      actions.push_back(require_state(statistics_projection, state));
    }
    for (const auto& shard : step.forget)
      actions.push_back({Action::Kind::remove, mark_key(statistics_projection, shard)});
    for (auto& action : delta.actions()) actions.push_back(std::move(action));
    auto answer = co_await access_.client.send(transact(access_.client.table(), actions));
    if (!answer.failure) {
      for (auto& [product, after] : delta.totals()) access_.totals.put(product, std::move(after));
      co_return true;
    }
    for (const auto& product : products) access_.totals.forget(product);
    auto kind = answer.failure->kind;
    if (kind != FailureKind::condition && kind != FailureKind::conflict)
      co_return error_of(*answer.failure);
    if (answer.failure->refused(0)) co_return false;
    fresh = true;
    co_await access_.client.pause(round);
  }
  co_return busy_statistics();
}

Awaitable<Result<KnownTotals>> TableStatistics::totals_of(const std::set<std::string>& products,
                                                          bool fresh) {
  KnownTotals out;
  if (products.empty()) co_return out;
  std::vector<Awaitable<Result<Known<Totals>>>> works;
  for (const auto& product : products)
    works.push_back(fresh ? access_.totals.fetch(product) : access_.totals.known(product));
  auto found = co_await all(std::move(works));
  auto each = found.begin();
  for (const auto& product : products) {
    if (!*each) co_return each->error();
    out.emplace(product, (*each++)->value);
  }
  co_return out;
}

Awaitable<Result<State>> TableStatistics::state() {
  return access_.loop.run(read_state(access_.client));
}

Awaitable<Status> TableStatistics::reset(State state) {
  return reset(std::move(state), {});
}

Awaitable<Status> TableStatistics::reset(State state, std::string epoch) {
  return access_.loop.run(
      [](TableStatistics& self, State state, std::string epoch) -> Awaitable<Status> {
        auto pass = co_await self.gate_.enter(std::chrono::steady_clock::now() + max_wait);
        if (!pass) co_return busy_statistics();
        co_return co_await self.write_state(std::move(state), std::move(epoch));
      }(*this, std::move(state), std::move(epoch)));
}

// The state is first put empty, and last as it shall be, so that nothing follows a half-written
// state. In between it has an epoch of its own, in which no step is made; of two callers that begin
// at once, the first learns that its epoch has ended.
Awaitable<Status> TableStatistics::write_state(State state, std::string epoch) {
  const std::string& table = access_.client.table();
  State empty{.epoch = Ulid::make(system_ms(), system_entropy()).text()};
  std::optional<Expression> building;
  if (!epoch.empty()) building = state_is(epoch, Phase::building);
  CO_TRY_DONE(co_await access_.client.make(
      put_item(table, state_item(statistics_projection, empty), building, Repeat::safe)));
  // An answer may have been lost, so the state is read to learn whether it was put.
  CO_TRY(auto old, co_await read_state(access_.client));
  if (old.epoch != empty.epoch) co_return epoch_ended();
  auto marks = replace_marks(old, state);
  for (std::size_t from = 0; from < marks.size(); from += max_actions - 1) {
    auto end = std::min(marks.size(), from + max_actions - 1);
    std::vector<Action> some{require_state(statistics_projection, empty)};
    some.insert(some.end(), marks.begin() + static_cast<std::ptrdiff_t>(from),
                marks.begin() + static_cast<std::ptrdiff_t>(end));
    CO_TRY(auto made, co_await access_.client.make(transact(table, some)));
    if (!made) co_return epoch_ended();
  }
  CO_TRY(auto put,
         co_await access_.client.make(put_item(table, state_item(statistics_projection, state),
                                               state_is(empty.epoch, Phase::empty), Repeat::safe)));
  if (put) co_return Done{};
  CO_TRY(auto is, co_await read_state(access_.client));
  if (is.epoch == state.epoch && is.phase == state.phase) co_return Done{};
  co_return epoch_ended();
}

Awaitable<Result<bool>> TableStatistics::change_phase(std::string epoch, Phase from, Phase to) {
  return access_.loop.run([](TableStatistics& self, std::string epoch, Phase from,
                             Phase to) -> Awaitable<Result<bool>> {
    CO_TRY(auto state, co_await read_state(self.access_.client));
    if (state.epoch != epoch || state.phase != from) co_return false;
    state.phase = to;
    Call put = put_item(self.access_.client.table(), state_item(statistics_projection, state),
                        state_is(epoch, from), Repeat::safe);
    co_return co_await self.access_.client.make(std::move(put));
  }(*this, std::move(epoch), from, to));
}

}  // namespace quire::dynamodb
