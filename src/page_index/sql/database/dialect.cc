#include "page_index/sql/database/dialect.h"

#include <fmt/format.h>

#include "page_index/sql/database/schema.h"

namespace quire::sql {
namespace {

std::string as_it_is(const std::string& statement) {
  return statement;
}

void already_bytes(std::string&) {}

// SQLite looks up one row by (a, b) = (…), but reads a whole index for (a, b) IN (VALUES …).
std::string equal(const std::string& key) {
  return " = " + key;
}

std::string in(const std::string& keys) {
  return " IN (" + keys + ")";
}

std::string insert_or_ignore(const std::string& into, const std::string& row) {
  return fmt::format("INSERT OR IGNORE INTO {} VALUES {}", into, row);
}

std::string insert_ignore(const std::string& into, const std::string& row) {
  return fmt::format("INSERT IGNORE INTO {} VALUES {}", into, row);
}

std::string replace_into(const RowForm& form, const std::string& rows) {
  return fmt::format("REPLACE INTO {} ({}, {}) VALUES {}", form.table, form.key, form.rest, rows);
}

std::string indexed_by(const Tables& tables, std::string_view index) {
  // SQLite's own name of the index of a primary key.
  if (index.empty()) return fmt::format("{0} INDEXED BY sqlite_autoindex_{0}_1", tables.comments());
  return fmt::format("{} INDEXED BY {}_{}", tables.comments(), tables.prefix, index);
}

std::string force_index(const Tables& tables, std::string_view index) {
  return fmt::format("{} FORCE INDEX ({})", tables.comments(), index.empty() ? "PRIMARY" : index);
}

std::string in_sqlite_master(const std::string& table) {
  return fmt::format("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = '{}'",
                     table);
}

std::string in_information_schema(const std::string& table) {
  return fmt::format(
      "SELECT COUNT(*) FROM information_schema.tables "
      "WHERE table_schema = DATABASE() AND table_name = '{}'",
      table);
}

}  // namespace

const Dialect sqlite = {
    .spell = as_it_is,
    .read_bytes = already_bytes,
    .schema = sqlite_schema,
    .insert_once = insert_or_ignore,
    .replace = replace_into,
    .begin_to_read = "BEGIN",
    .begin_to_write = "BEGIN IMMEDIATE",
    .lock = "",
    .max_keys = 1,
    .among = equal,
    .along = indexed_by,
    .has_table = in_sqlite_master,
};

const Dialect mysql = {
    .spell = as_it_is,
    .read_bytes = already_bytes,
    .schema = mysql_schema,
    .insert_once = insert_ignore,
    .replace = replace_into,
    .begin_to_read = "START TRANSACTION READ ONLY",
    .begin_to_write = "START TRANSACTION",
    .lock = " FOR UPDATE",
    .max_keys = 500,
    .among = in,
    .along = force_index,
    .has_table = in_information_schema,
};

}  // namespace quire::sql
