#include "page_index/sql/preparation.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <optional>

#include "page_index/sql/block_writer.h"
#include "page_index/sql/database/schema.h"
#include "page_index/sql/values.h"

namespace quire::sql {
namespace {

constexpr std::size_t products_at_once = 10'000;

void make(Connection& connection) {
  for (auto statement : connection.dialect().schema)
    connection.execute(fmt::format(fmt::runtime(statement), connection.tables().prefix));
}

void insert_state(Connection& connection) {
  const auto& tables = connection.tables();
  connection.execute(connection.dialect().insert_once(
      tables.state() + " (one, version, name, phase, epoch, stream, clearing)",
      fmt::format("(1, {}, {}, {}, X'', X'', X'')", schema_version, literal(tables.name),
                  literal(text_of(change::Phase::empty)))));
}

void make_all_blocks(Connection& connection) {
  const auto& tables = connection.tables();
  for (std::string after;;) {
    auto products = connection.rows<std::string, long long>(
        fmt::format("SELECT product, SUM(comments) FROM {} WHERE product > {} GROUP BY product "
                    "ORDER BY product LIMIT {}",
                    tables.counts(), literal(after), products_at_once));
    for (const auto& [product, comments] : products) {
      if (static_cast<std::uint64_t>(comments) > connection.block_sizes().max_comments)
        BlockWriter(connection, product).build();
    }
    if (products.size() < products_at_once) return;
    after = std::get<0>(products.back());
  }
}

// Of connections that begin together, the first does the work.
void upgrade(Connection& connection) {
  const auto& tables = connection.tables();
  make(connection);
  Transaction transaction(connection, connection.dialect().begin_to_write);
  auto version =
      connection.rows<long long>("SELECT version FROM " + tables.state() + " WHERE one = 1" +
                                 std::string(connection.dialect().lock));
  if (version.empty() || std::get<0>(version.front()) == schema_version) return;
  spdlog::info("page index: upgrading the tables {}_* to version {}", tables.prefix,
               schema_version);
  make_all_blocks(connection);
  connection.execute(
      fmt::format("UPDATE {} SET version = {} WHERE one = 1", tables.state(), schema_version));
  transaction.commit();
}

void widen(Connection& connection) {
  const auto& dialect = connection.dialect();
  if (!dialect.is_narrow) return;
  if (std::get<0>(connection.rows<long long>(dialect.is_narrow(connection.tables())).at(0)) == 0)
    return;
  for (auto statement : dialect.widening)
    connection.execute(fmt::format(fmt::runtime(statement), connection.tables().prefix));
}

// Nothing: there are no tables yet.
std::optional<long long> version_of(Connection& connection) {
  const auto& state = connection.tables().state();
  auto there = connection.rows<long long>(connection.dialect().has_table(state));
  if (std::get<0>(there.at(0)) == 0) return {};
  auto states = connection.rows<long long, std::string>("SELECT version, name FROM " + state +
                                                        " WHERE one = 1");
  if (states.empty()) return {};
  const auto& [version, name] = states.front();
  if (version > schema_version) {
    throw Unusable(fmt::format(
        "The tables of the page index have version {}, and this Quire knows version {}. "
        "Use the Quire that made them, or a later one.",
        version, schema_version));
  }
  if (version < oldest_version || name != connection.tables().name)
    throw damaged("an unknown version or name");
  return version;
}

}  // namespace

void prepare_tables(Connection& connection) {
  auto version = version_of(connection);
  if (connection.access() == Access::read) {
    if (!version) throw NoTables();
    if (*version == schema_version) return;
    throw Unusable(fmt::format(
        "The tables of the page index have the older version {}. quire project, backfill and "
        "verify upgrade them when they begin.",
        *version));
  }
  if (!version) {
    make(connection);
    insert_state(connection);
    return;
  }
  widen(connection);
  if (*version < schema_version) upgrade(connection);
}

}  // namespace quire::sql
