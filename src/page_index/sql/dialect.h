// The differences between the SQL of SQLite and the SQL of MySQL and MariaDB, as data.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "page_index/sql/tables.h"

namespace quire::sql {

struct Dialect {
  // The statements that make the tables; "{0}" stands for their prefix. They may run again. The
  // last one makes the table of the state.
  std::span<const std::string_view> schema;
  // The statements that make room for languages with script and region in older tables.
  std::span<const std::string_view> widening;
  // A query for a number: whether the table of comments is so old. Null: no table has to change.
  std::string (*is_narrow)(const Tables& tables);
  // An INSERT that keeps an existing row.
  std::string_view insert_once;

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
  // Whether the database merges a sorted union of sorted lists, and reads only what the LIMIT
  // needs.
  bool merges;
  // A query for a number: whether the table exists.
  std::string (*has_table)(const std::string& table);
};

extern const Dialect sqlite;
extern const Dialect mysql;

}  // namespace quire::sql
