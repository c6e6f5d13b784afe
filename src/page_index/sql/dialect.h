// What SQLite and MySQL (and MariaDB) say differently, as data.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "page_index/sql/tables.h"

namespace quire::sql {

struct Dialect {
  // What makes the tables, one statement each, "{0}" for their prefix; may be run again. The last
  // makes the state's table.
  std::span<const std::string_view> schema;
  // An INSERT that leaves alone what is there.
  std::string_view insert_once;

  // Transactions. One that writes keeps other writers out from its beginning, or from its first
  // SELECT … with `lock`.
  std::string_view begin_to_read;
  std::string_view begin_to_write;
  std::string_view lock;

  // Keys that one statement looks up: one where a statement costs no round trip.
  std::size_t most_keys;
  // " IN (…)" or so, of such keys.
  std::string (*among)(const std::string& keys);

  // The table, read along this index and no other. Empty: along its key.
  std::string (*along)(const Tables& tables, std::string_view index);
  // Whether of a sorted union of sorted lists it reads only as much as it is asked for.
  bool merges;
  // Whether the table is there: a query for a number.
  std::string (*has_table)(const std::string& table);
};

extern const Dialect sqlite;
extern const Dialect mysql;

}  // namespace quire::sql
