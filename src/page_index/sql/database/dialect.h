// The differences between the SQL of SQLite, of MySQL and MariaDB, and of PostgreSQL, as data; and
// the tables that each has.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace quire::sql {

// The names of the tables of one page index. Indexes may share a database, so the names have a
// prefix.
struct Tables {
  std::string name;    // of the index, as the user gave it
  std::string prefix;  // has small letters, digits and "_" only, so SQL needs no quotes

  std::string comments() const { return prefix + "_comments"; }
  std::string counts() const { return prefix + "_counts"; }
  std::string blocks() const { return prefix + "_blocks"; }
  std::string marks() const { return prefix + "_marks"; }
  std::string state() const { return prefix + "_state"; }
};

// Different names have different prefixes, even where the database ignores case.
Tables tables_of(std::string_view name);

// The SQL literal of any bytes: X'2F00', which spell() translates. Text of callers gets into
// statements only in this form, so nothing needs escaping.
std::string literal(std::string_view bytes);

// The statements that make the tables. docs/formats/pages-sql.md describes the tables.
inline constexpr int schema_version = 1;

// "{0}" stands for the prefix of the tables.
extern const std::array<std::string_view, 8> sqlite_schema;
extern const std::array<std::string_view, 5> mysql_schema;
extern const std::array<std::string_view, 8> postgresql_schema;

// A table whose rows are written whole; columns are joined by commas.
struct RowForm {
  std::string table;
  std::string key;
  std::string rest;
};

struct Dialect {
  // A statement in the spelling of the database. Bytes come as in X'2F00'.
  std::string (*spell)(const std::string& statement);
  // Bytes as they were written, from the form in which the database gives them.
  void (*read_bytes)(std::string& column);
  void read(std::string& column) const { read_bytes(column); }
  void read(long long) const {}

  // The statements that make the tables; "{0}" stands for their prefix. They may run again. The
  // last one makes the table of the state.
  std::span<const std::string_view> schema;
  // A statement that inserts a row, "(…)", unless its key is there.
  std::string (*insert_once)(const std::string& into, const std::string& row);

  // A statement that writes `rows`, "(…), (…)", in place of rows of the same keys.
  std::string (*replace)(const RowForm& form, const std::string& rows);

  // Transactions. A writing transaction keeps other writers out from its beginning, or from its
  // first SELECT … with `lock`.
  std::string_view begin_to_read;
  std::string_view begin_to_write;
  std::string_view lock;

  // How many keys one statement looks up: one where a statement costs no round trip.
  std::size_t max_keys;
  // The condition on such keys: " IN (…)" or " = …".
  std::string (*among)(const std::string& keys);

  // The table of comments, read along this index and no other. Empty: along its primary key.
  std::string (*along)(const Tables& tables, std::string_view index);
  // A query for a number: whether the table exists.
  std::string (*has_table)(const std::string& table);
};

extern const Dialect sqlite;
extern const Dialect mysql;
extern const Dialect postgresql;

}  // namespace quire::sql
