#include "page_index/sql/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "page_index/sql/database/dialect.h"
#include "page_index/sql/database/failure.h"

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
                  literal(change::phase_name(change::Phase::empty)))));
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

std::string literal_of(ListFacet facet, FacetValue value) {
  return facet == rating_facet ? std::to_string(value) : literal(list_facets[facet].text(value));
}

std::string literals_of(const Cell& cell) {
  return literal_of(language_facet, cell[language_facet]) + ", " +
         literal_of(rating_facet, cell[rating_facet]);
}

Ulid id_of(const std::string& bytes) {
  if (bytes.size() != Ulid::size) throw damaged("an id of another length");
  Ulid id;
  std::copy(bytes.begin(), bytes.end(), id.bytes.begin());
  return id;
}

FacetValue language_of(std::string_view text) {
  auto value = list_facets[language_facet].parse(text);
  if (!value) throw damaged("an unknown language");
  return *value;
}

FacetValue rating_of(long long stars) {
  auto value = list_facets[rating_facet].parse(std::to_string(stars));
  if (!value) throw damaged("an unknown rating");
  return *value;
}

Cell cell_of(std::string_view language, long long rating) {
  return {language_of(language), rating_of(rating)};
}

change::Phase phase_of(const std::string& text) {
  auto phase = change::parse_phase(text);
  if (!phase) throw damaged("an unknown phase");
  return *phase;
}

}  // namespace quire::sql
