#include "page_index/sql/index_writer.h"

#include <fmt/format.h>

#include <map>

#include "page_index/sql/block_writer.h"
#include "page_index/sql/tables.h"

namespace quire::sql {

namespace {

struct CommentKey {
  std::string product;
  Ulid id;
  friend auto operator<=>(const CommentKey&, const CommentKey&) = default;
};
std::string text(const CommentKey& key) {
  return fmt::format("({}, {})", literal(key.product), literal(key.id.view()));
}

// The key of one count.
struct Count {
  std::string product;
  Cell cell;
  friend auto operator<=>(const Count&, const Count&) = default;
};
std::string text(const Count& count) {
  return fmt::format("({}, {})", literal(count.product), literals_of(count.cell));
}

template <class Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(text(key));
  return keys;
}

using Cells = std::map<CommentKey, std::optional<Cell>>;

// Whether a written cell can be read back.
bool whole(const Cell& cell) {
  for (auto facet : {language_facet, rating_facet}) {
    if (list_facets[facet].parse(list_facets[facet].text(cell[facet])) != cell[facet]) return false;
  }
  return true;
}

// The cell of each comment after the changes.
Cells outcome(std::span<const change::Change> changes) {
  Cells cells;
  for (const auto& change : changes) {
    if (change.to && !whole(change.to->cell))
      throw Unusable("A change has an invalid language or rating. Nothing was changed.");
    cells[{change.product, change.id}] = cell_of(change.to);
  }
  return cells;
}

// The cells of those comments that exist.
Cells find(Connection& connection, const std::vector<std::string>& keys) {
  Cells cells;
  for_keys(connection, keys, [&](const std::string& among) {
    auto query = fmt::format("SELECT product, id, language, rating FROM {} WHERE (product, id){}",
                             connection.dialect().along(connection.tables(), ""), among);
    for (const auto& [product, id, language, rating] :
         connection.rows<std::string, std::string, std::string, long long>(query))
      cells[{product, id_of(id)}] = cell_of(language, rating);
  });
  return cells;
}

constexpr const char* key_of_counts = "product, language, rating";

void add(Connection& connection, const std::map<Count, long long>& changes) {
  auto counts = changes;
  for_keys(connection, keys_of(changes), [&](const std::string& among) {
    auto query = fmt::format("SELECT product, language, rating, comments FROM {} WHERE ({}){}",
                             connection.tables().counts(), key_of_counts, among);
    for (const auto& [product, language, rating, comments] :
         connection.rows<std::string, std::string, long long, long long>(query))
      counts[{product, cell_of(language, rating)}] += comments;
  });
  std::vector<std::string> rows, none;
  for (const auto& [count, comments] : counts) {
    if (comments < 0) throw damaged("counts that do not match the comments");
    if (comments == 0) none.push_back(text(count));
    if (comments > 0)
      rows.push_back(
          fmt::format("({}, {}, {})", literal(count.product), literals_of(count.cell), comments));
  }
  const auto& table = connection.tables().counts();
  replace(connection, {table, key_of_counts, "comments"}, rows);
  remove(connection, table, fmt::format("({})", key_of_counts), none);
}

}  // namespace

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
  auto cells = outcome(changes);
  auto before = find(connection_, keys_of(cells));
  std::map<Count, long long> counts;
  std::map<std::string, std::vector<Move>> moves;
  std::vector<std::string> added, changed, gone;
  for (const auto& [key, to] : cells) {
    auto row = before.find(key);
    auto from = row == before.end() ? std::nullopt : row->second;
    if (from == to) continue;
    moves[key.product].push_back({key.id, from, to});
    if (from) --counts[{key.product, *from}];
    if (to) ++counts[{key.product, *to}];
    if (to)
      (from ? changed : added)
          .push_back(fmt::format("({}, {}, {})", literal(key.product), literal(key.id.view()),
                                 literals_of(*to)));
    else
      gone.push_back(text(key));
  }
  std::erase_if(counts, [](const auto& count) { return count.second == 0; });
  const auto& table = connection_.tables().comments();
  const RowForm form{table, "product, id", "language, rating"};
  insert(connection_, form, added);
  replace(connection_, form, changed);
  remove(connection_, table, "(product, id)", gone);
  add(connection_, counts);
  move_in_blocks(connection_, moves);
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
                  connection_.tables().state(), literal(change::phase_name(state.phase)),
                  literal(state.epoch), literal(state.stream), literal(state_row.clearing)));
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
