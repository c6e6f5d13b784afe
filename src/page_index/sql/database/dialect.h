// The differences between the SQL of SQLite, of MySQL and MariaDB, and of PostgreSQL, as data.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "page_index/sql/database/tables.h"

namespace quire::sql {

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
