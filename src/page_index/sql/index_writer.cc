#include "page_index/sql/index_writer.h"

#include <fmt/format.h>

#include "page_index/sql/block_writer.h"
#include "page_index/sql/changes.h"
#include "page_index/sql/database/rows.h"
#include "page_index/sql/values.h"

namespace quire::sql {

using change::Mark;

StateRow read_state_row(Connection& connection, std::string_view lock) {
  auto found = connection.rows<std::string, std::string, std::string, std::string>(
      fmt::format("SELECT phase, epoch, stream, clearing FROM {} WHERE one = 1{}",
                  connection.tables().state(), lock));
  if (found.size() != 1) throw damaged("no state");
  const auto& [phase, epoch, stream, clearing] = found.front();
  return {{phase_of(phase), epoch, stream, {}}, clearing};
}

IndexWriter::IndexWriter(Connection& connection)
    : connection_(connection),
      transaction_(connection, connection.dialect().begin_to_write),
      state_row_(read_state_row(connection, connection.dialect().lock)) {}

std::optional<Mark> IndexWriter::mark(const std::string& shard) {
  auto found = connection_.rows<std::string, long long, long long>(
      fmt::format("SELECT place, ended, as_of_ms FROM {} WHERE shard = {}",
                  connection_.tables().marks(), literal(shard)));
  if (found.empty()) return {};
  const auto& [place, ended, as_of_ms] = found.front();
  return Mark{place, ended != 0, static_cast<std::uint64_t>(as_of_ms)};
}

void IndexWriter::change(std::span<const change::Change> changes) {
  make_changes(connection_, changes);
}

void IndexWriter::recount(const std::string& product) {
  const auto& tables = connection_.tables();
  connection_.execute("DELETE FROM " + tables.counts() + " WHERE product = " + literal(product));
  connection_.execute(
      fmt::format("INSERT INTO {} (product, language, rating, comments) "
                  "SELECT product, language, rating, COUNT(*) FROM {} WHERE product = {} "
                  "GROUP BY product, language, rating",
                  tables.counts(), tables.comments(), literal(product)));
  BlockWriter(connection_, product).build();
}

void IndexWriter::set(const std::string& shard, const Mark& mark) {
  replace(connection_, {connection_.tables().marks(), "shard", "place, ended, as_of_ms"},
          {fmt::format("({}, {}, {:d}, {})", literal(shard), literal(mark.read_to), mark.ended,
                       mark.as_of_ms)});
}

void IndexWriter::forget(const std::vector<std::string>& shards) {
  std::vector<std::string> keys;
  for (const auto& shard : shards) keys.push_back(literal(shard));
  remove(connection_, connection_.tables().marks(), "shard", keys);
}

void IndexWriter::set(const StateRow& state_row) {
  const auto& state = state_row.state;
  connection_.execute(
      fmt::format("UPDATE {} SET phase = {}, epoch = {}, stream = {}, clearing = {} WHERE one = 1",
                  connection_.tables().state(), literal(text_of(state.phase)), literal(state.epoch),
                  literal(state.stream), literal(state_row.clearing)));
  for (const auto& [shard, mark] : state.marks) set(shard, mark);
}

void IndexWriter::forget_marks() {
  connection_.execute("DELETE FROM " + connection_.tables().marks());
}

std::optional<std::string> IndexWriter::clear(const std::string& from, std::size_t max) {
  const auto& tables = connection_.tables();
  auto end = connection_.rows<std::string, std::string>(fmt::format(
      "SELECT product, id FROM {} WHERE product >= {} ORDER BY product, id LIMIT 1 OFFSET {}",
      connection_.dialect().along(tables, ""), literal(from), max - 1));
  if (end.empty()) {
    for (const auto& table : {tables.comments(), tables.counts(), tables.blocks()})
      connection_.execute("DELETE FROM " + table);
    return {};
  }
  const auto& [product, id] = end.front();
  for (const auto& which :
       {fmt::format("product >= {} AND product < {}", literal(from), literal(product)),
        fmt::format("product = {} AND id <= {}", literal(product), literal(id))})
    connection_.execute("DELETE FROM " + tables.comments() + " WHERE " + which);
  for (const auto& table : {tables.counts(), tables.blocks()})
    connection_.execute("DELETE FROM " + table + " WHERE product < " + literal(product));
  return product;
}

}  // namespace quire::sql
