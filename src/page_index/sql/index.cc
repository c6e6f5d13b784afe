#include "page_index/sql/index.h"

#include <fmt/format.h>

#include <random>
#include <set>

#include "base/try.h"
#include "page_index/sql/block_writer.h"
#include "page_index/sql/index_writer.h"
#include "page_index/sql/list_reader.h"
#include "page_index/sql/tables.h"

namespace quire::sql {
namespace {

using change::Mark;
using change::Phase;
using change::State;
using change::Step;

constexpr std::size_t clear_comments = 5000;  // reset() removes so many at a time

template <class T>
std::vector<T> own(std::span<const T> items) {
  return {items.begin(), items.end()};
}

// Serves one request. Each question sees one moment. The pool must outlive it.
class SqlRanks : public Ranks {
 public:
  explicit SqlRanks(Pool& pool) : pool_(pool) {}

  Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                        std::span<const Cell> lists) override {
    return ask(product, [lists = own(lists)](ListReader& reader) { return reader.lengths(lists); });
  }
  Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view product, std::span<const RankRange> ranges) override {
    return ask(product,
               [ranges = own(ranges)](ListReader& reader) { return reader.slices(ranges); });
  }
  Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view product,
                                                      std::span<const Cell> lists,
                                                      const Ulid& id) override {
    return ask(product,
               [lists = own(lists), id](ListReader& reader) { return reader.ranks(lists, id); });
  }
  Awaitable<Result<Ulid>> nth_of_union(std::string_view product, std::span<const Cell> lists,
                                       std::uint64_t length, std::uint64_t n) override {
    return ask(product, [lists = own(lists), length, n](ListReader& reader) {
      auto id = reader.nth_of_union(lists, length, n);
      if (!id) throw Unusable(changes_too_fast().message);
      return *id;
    });
  }

 private:
  // The question runs on a thread of the pool, so it must own its arguments.
  template <class Ask, class T = std::invoke_result_t<const Ask&, ListReader&>>
  Awaitable<Result<T>> ask(std::string_view product, Ask question) {
    return pool_.run(
        [product = std::string(product), question = std::move(question)](Connection& connection) {
          ListReader reader(connection, product);
          return question(reader);
        });
  }

  Pool& pool_;
};

State read_state(Connection& connection) {
  Transaction moment(connection, connection.dialect().begin_to_read);
  auto state = read_state_row(connection, "").state;
  auto marks = connection.rows<std::string, std::string, long long, long long>(
      "SELECT shard, place, ended, as_of_ms FROM " + connection.tables().marks());
  for (const auto& [shard, place, ended, as_of_ms] : marks)
    state.marks[shard] = {place, ended != 0, static_cast<std::uint64_t>(as_of_ms)};
  return state;
}

bool same_mark(const std::optional<Mark>& a, const std::optional<Mark>& b) {
  if (!a || !b) return !a && !b;
  return a->read_to == b->read_to && a->ended == b->ended;
}

bool make_step(Connection& connection, const Step& step) {
  IndexWriter writer(connection);
  const auto& [state, clearing] = writer.state_row();
  if (!clearing.empty() || state.epoch != step.epoch) return false;
  if (!same_mark(writer.mark(step.shard), step.before)) return false;
  writer.change(step.changes);
  writer.set(step.shard, step.after);
  writer.forget(step.forget);
  writer.commit();
  return true;
}

void require_no_clearing(const IndexWriter& writer) {
  if (!writer.state_row().clearing.empty())
    throw Unusable("The page index is being rebuilt. Run quire backfill to its end.");
}

std::set<std::string> products_of(const std::vector<change::Change>& changes) {
  std::set<std::string> products;
  for (const auto& change : changes) products.insert(change.product);
  return products;
}

// The name of one reset().
std::string random_name() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

// From this commit on the index is empty, whatever happens.
void begin_clearing(Connection& connection, const std::string& reset_name) {
  IndexWriter writer(connection);
  writer.forget_marks();
  StateRow state_row;
  state_row.clearing = reset_name;
  writer.set(state_row);
  writer.commit();
}

// Removes the next comments. When all are removed, ends the clearing and writes the new state.
std::optional<std::string> clear(Connection& connection, const std::string& reset_name,
                                 const std::string& from, const State& state) {
  IndexWriter writer(connection);
  if (writer.state_row().clearing != reset_name)
    throw Unusable("Another quire backfill began meanwhile. Let the other one finish.");
  auto next = writer.clear(from, clear_comments);
  if (!next) {
    StateRow state_row;
    state_row.state = state;
    writer.set(state_row);
  }
  writer.commit();
  return next;
}

}  // namespace

SqlIndex::SqlIndex(SqlAddress address, const std::string& name, Access access, SqlOptions options)
    : pool_({std::move(address), tables_of(name), access, options.timeouts, options.block_sizes},
            prepare_tables, options.connections, options.max_requests) {}

std::unique_ptr<Ranks> SqlIndex::ranks() {
  return std::make_unique<SqlRanks>(pool_);
}

Awaitable<Result<State>> SqlIndex::state() {
  return pool_.run(read_state, State());
}

Awaitable<Result<bool>> SqlIndex::apply(Step step) {
  return pool_.write(
      [step = std::move(step)](Connection& connection) { return make_step(connection, step); });
}

Awaitable<Status> SqlIndex::reset(State state) {
  std::string reset_name = random_name();
  auto begin = [reset_name](Connection& connection) {
    begin_clearing(connection, reset_name);
    return Done{};
  };
  CO_TRY_DONE(co_await pool_.write(std::move(begin)));
  for (std::string from;;) {
    auto piece = [reset_name, from, state](Connection& connection) {
      return clear(connection, reset_name, from, state);
    };
    CO_TRY(auto next, co_await pool_.write(std::move(piece)));
    if (!next) co_return Done{};
    from = *next;
  }
}

Awaitable<Result<bool>> SqlIndex::change_phase(std::string epoch, Phase from, Phase to) {
  return pool_.write([epoch = std::move(epoch), from, to](Connection& connection) {
    IndexWriter writer(connection);
    StateRow state_row = writer.state_row();
    bool same = state_row.state.epoch == epoch && state_row.state.phase == from &&
                state_row.clearing.empty();
    if (!same) return false;
    state_row.state.phase = to;
    writer.set(state_row);
    writer.commit();
    return true;
  });
}

Awaitable<Result<std::vector<std::string>>> SqlIndex::flaws(std::string product) {
  return pool_.run([product = std::move(product)](Connection& connection) {
    return flaws_of_blocks(connection, product);
  });
}

Awaitable<Status> SqlIndex::put(std::vector<change::Change> changes) {
  return pool_.write([changes = std::move(changes)](Connection& connection) {
    IndexWriter writer(connection);
    require_no_clearing(writer);
    for (const auto& product : products_of(changes)) writer.recount(product);
    writer.change(changes);
    writer.commit();
    return Done{};
  });
}

Awaitable<Result<std::vector<std::string>>> SqlIndex::products(std::string after,
                                                               std::size_t limit) {
  return pool_.run([after = std::move(after), limit](Connection& connection) {
    std::vector<std::string> products;
    auto query =
        fmt::format("SELECT DISTINCT product FROM {} WHERE product > {} ORDER BY product LIMIT {}",
                    connection.tables().counts(), literal(after), limit);
    for (auto& [product] : connection.rows<std::string>(query))
      products.push_back(std::move(product));
    return products;
  });
}

Awaitable<Result<std::vector<FacetValue>>> SqlIndex::languages(std::string product) {
  return pool_.run([product = std::move(product)](Connection& connection) {
    std::vector<FacetValue> values;
    auto query = fmt::format("SELECT DISTINCT language FROM {} WHERE product = {}",
                             connection.tables().counts(), literal(product));
    for (const auto& [language] : connection.rows<std::string>(query))
      values.push_back(language_of(language));
    return values;
  });
}

}  // namespace quire::sql
