// The SQL of PostgreSQL.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "page_index/sql/database/dialect.h"
#include "page_index/sql/database/failure.h"

namespace quire::sql {
namespace {

// X'2F00' would be bits, and a literal without a type would be text in VALUES. Statements have "X'"
// nowhere else, since text is written as bytes.
std::string with_hex_bytes(const std::string& statement) {
  std::string out;
  out.reserve(statement.size() + 64);
  for (std::size_t at = 0; at < statement.size(); ++at) {
    bool bytes = statement.compare(at, 2, "X'") == 0;
    if (!bytes) out += statement[at];
    if (bytes) out += "BYTEA'\\x", ++at;
  }
  return out;
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  throw damaged("bytes in another form");
}

// "\x2f00". Other columns of text are no bytes, and do not begin so.
void from_hex(std::string& column) {
  if (!column.starts_with("\\x")) return;
  if (column.size() % 2 != 0) throw damaged("bytes in another form");
  std::string bytes;
  for (std::size_t i = 2; i < column.size(); i += 2)
    bytes += static_cast<char>(digit_of(column[i]) * 16 + digit_of(column[i + 1]));
  column = std::move(bytes);
}

std::string insert_or_nothing(const std::string& into, const std::string& row) {
  return fmt::format("INSERT INTO {} VALUES {} ON CONFLICT DO NOTHING", into, row);
}

std::string insert_or_update(const RowForm& form, const std::string& rows) {
  std::vector<std::string> each;
  for (std::string_view rest = form.rest; !rest.empty();) {
    auto column = rest.substr(0, rest.find(", "));
    rest.remove_prefix(std::min(column.size() + 2, rest.size()));
    each.push_back(fmt::format("{0} = EXCLUDED.{0}", column));
  }
  return fmt::format("INSERT INTO {0} ({1}, {2}) VALUES {3} ON CONFLICT ({1}) DO UPDATE SET {4}",
                     form.table, form.key, form.rest, rows, fmt::join(each, ", "));
}

// As a table, because the time to plan hundreds of alternatives of several columns grows with their
// square.
std::string among_keys(const std::string& keys) {
  bool several_columns = keys.starts_with("(");
  return (several_columns ? " IN (VALUES " : " IN (") + keys + ")";
}

std::string by_its_planner(const Tables& tables, std::string_view) {
  return tables.comments();
}

std::string in_pg_tables(const std::string& table) {
  return fmt::format(
      "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = '{}'",
      table);
}

}  // namespace

const Dialect postgresql = {
    .spell = with_hex_bytes,
    .read_bytes = from_hex,
    .schema = postgresql_schema,
    .insert_once = insert_or_nothing,
    .replace = insert_or_update,
    .begin_to_read = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    .begin_to_write = "BEGIN ISOLATION LEVEL READ COMMITTED",
    .lock = " FOR UPDATE",
    .max_keys = 500,
    .among = among_keys,
    .along = by_its_planner,
    .has_table = in_pg_tables,
};

}  // namespace quire::sql
