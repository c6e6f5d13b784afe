#include "store/dynamodb/statistics.h"

#include <algorithm>

#include "base/clock.h"
#include "store/dynamodb/marks.h"

namespace quire::dynamodb {
namespace {

using change::Mark;
using change::Phase;
using change::State;
using change::Step;

// A comment that moves changes the statistics and averages of two languages and of all, and
// perhaps the registry; beside it there are marks.
constexpr std::size_t most_step_actions = 85;

Error busy() {
  return {ErrorCode::unavailable, "Others write to the same statistics. Try again in a moment."};
}

Error damaged() {
  return {ErrorCode::unavailable,
          "The marks of the statistics are not as Quire writes them: remove the items with the PK "
          "PROJECTION#statistics from the table, and run quire backfill."};
}

std::vector<Action> replace_marks(const State& old, const State& state) {
  std::vector<Action> actions;
  for (const auto& [shard, mark] : state.marks) {
    Item item = mark_item(statistics_projection, state.epoch, shard, mark);
    actions.push_back({Action::What::put, std::move(item)});
  }
  for (const auto& [shard, mark] : old.marks) {
    if (!state.marks.contains(shard))
      actions.push_back({Action::What::remove, mark_key(statistics_projection, shard)});
  }
  return actions;
}

}  // namespace

// As much of a step as fits a transaction.
struct TableStatistics::Piece {
  std::string epoch, shard;
  std::optional<Mark> before;
  Mark after;
  std::vector<change::Change> changes;
  std::vector<std::string> forget;
  std::size_t end = 0;  // how far in the step's changes it reaches
};

// Never between two changes of one record.
TableStatistics::Piece TableStatistics::cut(const Step& step, std::size_t from) const {
  Piece piece{step.epoch, step.shard, step.before, step.after, {}, {}};
  std::set<std::pair<std::string, FacetValue>> rows;
  std::set<std::string> products;
  std::size_t end = from;
  for (; end < step.changes.size(); ++end) {
    const auto& change = step.changes[end];
    products.insert(change.product);
    for (const auto& cell : {change.from, change.to}) {
      if (cell) rows.insert({change.product, (*cell)[language_facet]});
    }
    bool whole = end > from && change.sequence != step.changes[end - 1].sequence;
    if (whole && 2 * rows.size() + 3 * products.size() > most_step_actions) break;
    piece.changes.push_back(change);
  }
  piece.end = end;
  if (end == step.changes.size()) {
    piece.forget.assign(step.forget.begin(),
                        step.forget.begin() + std::min<std::ptrdiff_t>(std::ssize(step.forget), 5));
  } else {
    piece.after = {step.changes[end - 1].sequence, false, step.before ? step.before->as_of_ms : 0};
  }
  return piece;
}

Awaitable<Result<bool>> TableStatistics::apply(Step step) {
  return parts_.loop.run([](TableStatistics& self, Step step) -> Awaitable<Result<bool>> {
    auto pass = co_await self.gate_.enter(std::chrono::steady_clock::now() + patience);
    if (!pass) co_return busy();
    std::size_t from = 0;
    do {
      Piece piece = self.cut(step, from);
      from = piece.end;
      step.before = piece.before;
      Mark after = piece.after;
      auto made = co_await self.make(std::move(piece));
      if (!made || !*made) co_return made;
      step.before = after;
    } while (from < step.changes.size());
    co_return true;
  }(*this, std::move(step)));
}

Awaitable<Result<bool>> TableStatistics::make(Piece piece) {
  std::set<std::string> products;
  for (const auto& change : piece.changes) products.insert(change.product);
  bool fresh = false;
  for (int round = 0; round < most_rounds; ++round) {
    auto totals = co_await totals_of(products, fresh);
    if (!totals) co_return totals.error();
    Tally tally(*totals, parts_.address.leaders);
    for (const auto& change : piece.changes) tally.move(change.product, change.from, change.to);
    std::vector<Action> actions{
        {Action::What::put, mark_item(statistics_projection, piece.epoch, piece.shard, piece.after),
         has_mark(piece.epoch, piece.before)}};
    // A mark tells its epoch, but there is none yet.
    if (!piece.before) {
      auto state = co_await read_state();
      if (!state) co_return state.error();
      if (state->epoch.empty() || state->epoch != piece.epoch) co_return false;
      actions.push_back(still_in(statistics_projection, *state));
    }
    for (const auto& shard : piece.forget)
      actions.push_back({Action::What::remove, mark_key(statistics_projection, shard)});
    for (auto& action : tally.actions()) actions.push_back(std::move(action));
    auto token = Ulid::make(system_ms(), system_entropy()).text();
    auto answer = co_await parts_.client.send(transact(parts_.client.table(), actions, token));
    if (!answer.failure) {
      for (auto& [product, after] : tally.totals()) parts_.totals.put(product, std::move(after));
      co_return true;
    }
    for (const auto& product : products) parts_.totals.forget(product);
    auto kind = answer.failure->kind;
    if (kind != Kind::condition && kind != Kind::conflict) co_return error_of(*answer.failure);
    if (answer.failure->refused(0)) co_return false;
    fresh = true;
    co_await parts_.client.pause(round);
  }
  co_return busy();
}

Awaitable<Result<KnownTotals>> TableStatistics::totals_of(const std::set<std::string>& products,
                                                          bool fresh) {
  KnownTotals out;
  if (products.empty()) co_return out;
  std::vector<Awaitable<Result<TotalsCache::Known>>> works;
  for (const auto& product : products)
    works.push_back(fresh ? parts_.totals.fetch(product) : parts_.totals.known(product));
  auto found = co_await all(std::move(works));
  auto each = found.begin();
  for (const auto& product : products) {
    if (!*each) co_return each->error();
    out.emplace(product, (*each++)->totals);
  }
  co_return out;
}

Awaitable<Result<State>> TableStatistics::state() {
  return parts_.loop.run(read_state());
}

Awaitable<Result<State>> TableStatistics::read_state() {
  State state;
  std::optional<Item> start;
  int pages = 0;
  do {
    QueryArguments arguments{.table = parts_.client.table(),
                             .partition_name = "PK",
                             .partition = "PROJECTION#" + std::string(statistics_projection),
                             .start = start,
                             .consistent = true};
    auto answer = co_await parts_.client.send(query(arguments));
    if (answer.failure) co_return error_of(*answer.failure);
    auto page = decode_page(answer.body);
    if (!page || ++pages > most_pages) co_return error_of(broken("an answer is damaged"));
    bool whole = std::all_of(page->items.begin(), page->items.end(),
                             [&](const Item& item) { return add_to_state(state, item); });
    if (!whole) co_return damaged();
    start = std::move(page->last);
  } while (start);
  co_return state;
}

Awaitable<Status> TableStatistics::reset(State state) {
  return reset(std::move(state), {});
}

Awaitable<Status> TableStatistics::reset(State state, std::string epoch) {
  return parts_.loop.run(
      [](TableStatistics& self, State state, std::string epoch) -> Awaitable<Status> {
        auto pass = co_await self.gate_.enter(std::chrono::steady_clock::now() + patience);
        if (!pass) co_return busy();
        co_return co_await self.write_state(std::move(state), std::move(epoch));
      }(*this, std::move(state), std::move(epoch)));
}

// Empty first and last what it shall be, so that half of it is never followed. Between, the epoch
// is a name of its own: no step is made any more, and of two who begin at once the first is told.
Awaitable<Status> TableStatistics::write_state(State state, std::string epoch) {
  const std::string& table = parts_.client.table();
  State empty{.epoch = Ulid::make(system_ms(), system_entropy()).text()};
  std::optional<Expression> building;
  if (!epoch.empty()) building = is_in(epoch, Phase::building);
  auto begun = co_await parts_.client.send(
      put_item(table, state_item(statistics_projection, empty), building, Repeat::safe));
  // Whether it was put, the state tells: an answer may have been lost.
  if (begun.failure && begun.failure->kind != Kind::condition) co_return error_of(*begun.failure);
  auto old = co_await read_state();
  if (!old) co_return old.error();
  if (old->epoch != empty.epoch) co_return begun_anew();
  auto marks = replace_marks(*old, state);
  for (std::size_t from = 0; from < marks.size(); from += most_actions - 1) {
    auto end = std::min(marks.size(), from + most_actions - 1);
    std::vector<Action> some{still_in(statistics_projection, empty)};
    some.insert(some.end(), marks.begin() + static_cast<std::ptrdiff_t>(from),
                marks.begin() + static_cast<std::ptrdiff_t>(end));
    auto token = Ulid::make(system_ms(), system_entropy()).text();
    auto answer = co_await parts_.client.send(transact(table, some, token));
    if (answer.failure && answer.failure->kind == Kind::condition) co_return begun_anew();
    if (answer.failure) co_return error_of(*answer.failure);
  }
  auto put = co_await parts_.client.send(put_item(table, state_item(statistics_projection, state),
                                                  is_in(empty.epoch, Phase::empty), Repeat::safe));
  if (!put.failure) co_return Done{};
  if (put.failure->kind != Kind::condition) co_return error_of(*put.failure);
  auto is = co_await read_state();
  if (!is) co_return is.error();
  if (is->epoch == state.epoch && is->phase == state.phase) co_return Done{};
  co_return begun_anew();
}

Awaitable<Result<bool>> TableStatistics::turn(std::string epoch, Phase from, Phase to) {
  return parts_.loop.run([](TableStatistics& self, std::string epoch, Phase from,
                            Phase to) -> Awaitable<Result<bool>> {
    auto state = co_await self.read_state();
    if (!state) co_return state.error();
    if (state->epoch != epoch || state->phase != from) co_return false;
    state->phase = to;
    Call put = put_item(self.parts_.client.table(), state_item(statistics_projection, *state),
                        is_in(epoch, from), Repeat::safe);
    auto answer = co_await self.parts_.client.send(std::move(put));
    if (!answer.failure) co_return true;
    if (answer.failure->kind == Kind::condition) co_return false;
    co_return error_of(*answer.failure);
  }(*this, std::move(epoch), from, to));
}

}  // namespace quire::dynamodb
