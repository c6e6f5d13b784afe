#include "page_index/sql/index.h"

#include <fmt/format.h>

#include <random>
#include <set>

#include "page_index/sql/sql_ranks.h"
#include "page_index/sql/values.h"
#include "page_index/sql/writing.h"

namespace quire::sql {
namespace {

using change::Mark;
using change::Phase;
using change::State;
using change::Step;

constexpr std::size_t a_piece = 5000;  // comments that reset() removes at a time

std::function<State(Connection&)> read_state() {
  return [](Connection& connection) {
    Transaction moment(connection, connection.dialect().begin_to_read);
    auto state = read_life(connection, "").state;
    auto marks = connection.rows<std::string, std::string, long long, long long>(
        "SELECT shard, place, ended, as_of_ms FROM " + connection.tables().marks());
    for (const auto& [shard, place, ended, as_of_ms] : marks)
      state.marks[shard] = {place, ended != 0, static_cast<std::uint64_t>(as_of_ms)};
    return state;
  };
}

bool same_place(const std::optional<Mark>& a, const std::optional<Mark>& b) {
  if (!a || !b) return !a && !b;
  return a->read_to == b->read_to && a->ended == b->ended;
}

bool make_step(Connection& connection, const Step& step) {
  Writing writing(connection);
  const auto& [state, clearing] = writing.life();
  if (!clearing.empty() || state.epoch != step.epoch) return false;
  if (!same_place(writing.mark(step.shard), step.before)) return false;
  writing.change(step.changes);
  writing.set(step.shard, step.after);
  writing.forget(step.forget);
  writing.commit();
  return true;
}

void require_no_clearing(const Writing& writing) {
  if (!writing.life().clearing.empty())
    throw Unusable("The page index is being built anew: run quire backfill to its end.");
}

std::set<std::string> products_of(const std::vector<change::Change>& changes) {
  std::set<std::string> products;
  for (const auto& change : changes) products.insert(change.product);
  return products;
}

// Names one reset() among others.
std::string any_name() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

// From here on it is empty, whatever happens.
void begin_clearing(Connection& connection, const std::string& whose) {
  Writing writing(connection);
  writing.forget_marks();
  Life life;
  life.clearing = whose;
  writing.set(life);
  writing.commit();
}

// With the last comments goes the clearing itself, and the new life begins.
std::optional<std::string> clear(Connection& connection, const std::string& whose,
                                 const std::string& from, const State& state) {
  Writing writing(connection);
  if (writing.life().clearing != whose)
    throw Unusable("Another quire backfill began meanwhile: let that one go on.");
  auto next = writing.clear(from, a_piece);
  if (!next) {
    Life life;
    life.state = state;
    writing.set(life);
  }
  writing.commit();
  return next;
}

}  // namespace

SqlIndex::SqlIndex(SqlAddress address, const std::string& name, Access access, SqlOptions options)
    : pool_({std::move(address), tables_of(name), access, options.patience}, options.connections,
            options.most_requests) {}

std::unique_ptr<Ranks> SqlIndex::ranks() {
  return std::make_unique<SqlRanks>(pool_);
}

Awaitable<Result<State>> SqlIndex::state() {
  return pool_.run<State>(read_state(), State());
}

Awaitable<Result<bool>> SqlIndex::apply(Step step) {
  return pool_.write<bool>(
      [step = std::move(step)](Connection& connection) { return make_step(connection, step); });
}

Awaitable<Status> SqlIndex::reset(State state) {
  std::string whose = any_name();
  std::function<Done(Connection&)> begin = [whose](Connection& connection) {
    begin_clearing(connection, whose);
    return Done{};
  };
  auto begun = co_await pool_.write<Done>(begin);
  if (!begun) co_return begun.error();
  for (std::string from;;) {
    std::function<std::optional<std::string>(Connection&)> piece = [whose, from,
                                                                    state](Connection& connection) {
      return clear(connection, whose, from, state);
    };
    auto next = co_await pool_.write<std::optional<std::string>>(piece);
    if (!next) co_return next.error();
    if (!*next) co_return Done{};
    from = **next;
  }
}

Awaitable<Result<bool>> SqlIndex::turn(std::string epoch, Phase from, Phase to) {
  return pool_.write<bool>([epoch = std::move(epoch), from, to](Connection& connection) {
    Writing writing(connection);
    Life life = writing.life();
    bool same = life.state.epoch == epoch && life.state.phase == from && life.clearing.empty();
    if (!same) return false;
    life.state.phase = to;
    writing.set(life);
    writing.commit();
    return true;
  });
}

Awaitable<Status> SqlIndex::put(std::vector<change::Change> changes) {
  return pool_.write<Done>([changes = std::move(changes)](Connection& connection) {
    Writing writing(connection);
    require_no_clearing(writing);
    for (const auto& product : products_of(changes)) writing.recount(product);
    writing.change(changes);
    writing.commit();
    return Done{};
  });
}

Awaitable<Result<std::vector<std::string>>> SqlIndex::products(std::string after,
                                                               std::size_t limit) {
  using Products = std::vector<std::string>;
  return pool_.run<Products>([after = std::move(after), limit](Connection& connection) {
    Products products;
    auto query =
        fmt::format("SELECT DISTINCT product FROM {} WHERE product > {} ORDER BY product LIMIT {}",
                    connection.tables().counts(), literal(after), limit);
    for (auto& [product] : connection.rows<std::string>(query))
      products.push_back(std::move(product));
    return products;
  });
}

Awaitable<Result<std::vector<FacetValue>>> SqlIndex::languages(std::string product) {
  using Values = std::vector<FacetValue>;
  return pool_.run<Values>([product = std::move(product)](Connection& connection) {
    Values values;
    auto query = fmt::format("SELECT DISTINCT language FROM {} WHERE product = {}",
                             connection.tables().counts(), literal(product));
    for (const auto& [language] : connection.rows<std::string>(query))
      values.push_back(cell_of(language, 1)[language_facet]);
    return values;
  });
}

}  // namespace quire::sql
