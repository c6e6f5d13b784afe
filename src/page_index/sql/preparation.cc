#include "page_index/sql/preparation.h"

#include <fmt/format.h>

#include "page_index/sql/database/dialect.h"
#include "page_index/sql/values.h"

namespace quire::sql {
namespace {

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

// False: there are no tables yet.
bool are_there(Connection& connection) {
  const auto& state = connection.tables().state();
  auto there = connection.rows<long long>(connection.dialect().has_table(state));
  if (std::get<0>(there.at(0)) == 0) return false;
  auto states = connection.rows<long long, std::string>("SELECT version, name FROM " + state +
                                                        " WHERE one = 1");
  if (states.empty()) return false;
  const auto& [version, name] = states.front();
  if (version != schema_version) {
    throw Unusable(fmt::format(
        "The tables of the page index have version {}, and this Quire knows version {}. "
        "Build an index in another database with quire backfill.",
        version, schema_version));
  }
  if (name != connection.tables().name) throw damaged("an unknown name");
  return true;
}

}  // namespace

void prepare_tables(Connection& connection) {
  if (are_there(connection)) return;
  if (connection.access() == Access::read) throw NoTables();
  make(connection);
  insert_state(connection);
}

}  // namespace quire::sql
