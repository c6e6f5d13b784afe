#include "page_index/sql/database/dialect.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace quire::sql {

namespace {

// Names in PostgreSQL have at most 63 characters. "quire_pages_" and the name of the table take
// some of them.
constexpr std::size_t max_characters = 34;

// Keeps small letters and digits, writes a capital as "_" and its small letter, and any other byte
// as "_2" and two hex digits. Characters that are frequent in names of tables have shorter forms.
std::string encoded(std::string_view name) {
  std::string out;
  for (char c : name) {
    bool small = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (small) {
      out += c;
    } else if (c >= 'A' && c <= 'Z') {
      out.append("_").push_back(static_cast<char>(c - 'A' + 'a'));
    } else if (c == '_') {
      out += "__";
    } else if (c == '-') {
      out += "_0";
    } else if (c == '.') {
      out += "_1";
    } else {
      out += fmt::format("_2{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

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

Tables tables_of(std::string_view name) {
  std::string text = encoded(name);
  // Only hashed names begin with "_3".
  if (text.size() > max_characters) text = "_3" + sha256_hex(name).substr(0, max_characters - 2);
  return {std::string(name), "quire_pages_" + text};
}

std::string literal(std::string_view bytes) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string out = "X'";
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out += "'";
}

// Products, ids and languages are binary columns, so all databases compare their bytes.
const std::array<std::string_view, 8> sqlite_schema = {
    R"(CREATE TABLE IF NOT EXISTS {0}_comments (
  product BLOB NOT NULL,
  id BLOB NOT NULL,
  language BLOB NOT NULL,
  rating INTEGER NOT NULL,
  PRIMARY KEY (product, id)
) STRICT, WITHOUT ROWID)",
    R"(CREATE INDEX IF NOT EXISTS {0}_by_language
  ON {0}_comments (product, language, id))",
    R"(CREATE INDEX IF NOT EXISTS {0}_by_rating
  ON {0}_comments (product, rating, id))",
    R"(CREATE INDEX IF NOT EXISTS {0}_by_language_and_rating
  ON {0}_comments (product, language, rating, id))",
    R"(CREATE TABLE IF NOT EXISTS {0}_counts (
  product BLOB NOT NULL,
  language BLOB NOT NULL,
  rating INTEGER NOT NULL,
  comments INTEGER NOT NULL,
  PRIMARY KEY (product, language, rating)
) STRICT, WITHOUT ROWID)",
    R"(CREATE TABLE IF NOT EXISTS {0}_blocks (
  product BLOB NOT NULL,
  level INTEGER NOT NULL,
  first_id BLOB NOT NULL,
  cells BLOB NOT NULL,
  PRIMARY KEY (product, level, first_id)
) STRICT, WITHOUT ROWID)",
    R"(CREATE TABLE IF NOT EXISTS {0}_marks (
  shard BLOB NOT NULL PRIMARY KEY,
  place BLOB NOT NULL,
  ended INTEGER NOT NULL,
  as_of_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID)",
    R"(CREATE TABLE IF NOT EXISTS {0}_state (
  one INTEGER NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  name BLOB NOT NULL,
  phase BLOB NOT NULL,
  epoch BLOB NOT NULL,
  stream BLOB NOT NULL,
  clearing BLOB NOT NULL
) STRICT)",
};

const std::array<std::string_view, 5> mysql_schema = {
    R"(CREATE TABLE IF NOT EXISTS {0}_comments (
  product VARBINARY(256) NOT NULL,
  id BINARY(16) NOT NULL,
  language VARBINARY(12) NOT NULL,
  rating TINYINT UNSIGNED NOT NULL,
  PRIMARY KEY (product, id),
  INDEX by_language (product, language, id),
  INDEX by_rating (product, rating, id),
  INDEX by_language_and_rating (product, language, rating, id)
) ENGINE = InnoDB)",
    R"(CREATE TABLE IF NOT EXISTS {0}_counts (
  product VARBINARY(256) NOT NULL,
  language VARBINARY(12) NOT NULL,
  rating TINYINT UNSIGNED NOT NULL,
  comments BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (product, language, rating)
) ENGINE = InnoDB)",
    R"(CREATE TABLE IF NOT EXISTS {0}_blocks (
  product VARBINARY(256) NOT NULL,
  level TINYINT UNSIGNED NOT NULL,
  first_id BINARY(16) NOT NULL,
  cells MEDIUMBLOB NOT NULL,
  PRIMARY KEY (product, level, first_id)
) ENGINE = InnoDB)",
    R"(CREATE TABLE IF NOT EXISTS {0}_marks (
  shard VARBINARY(255) NOT NULL,
  place BLOB NOT NULL,
  ended TINYINT UNSIGNED NOT NULL,
  as_of_ms BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (shard)
) ENGINE = InnoDB)",
    R"(CREATE TABLE IF NOT EXISTS {0}_state (
  one TINYINT UNSIGNED NOT NULL,
  version INT UNSIGNED NOT NULL,
  name VARBINARY(255) NOT NULL,
  phase VARBINARY(16) NOT NULL,
  epoch BLOB NOT NULL,
  stream BLOB NOT NULL,
  clearing VARBINARY(16) NOT NULL,
  PRIMARY KEY (one)
) ENGINE = InnoDB)",
};

// Its names have at most 63 characters, so one index has a shorter name than elsewhere.
const std::array<std::string_view, 8> postgresql_schema = {
    R"(CREATE TABLE IF NOT EXISTS {0}_comments (
  product BYTEA NOT NULL,
  id BYTEA NOT NULL,
  language BYTEA NOT NULL,
  rating SMALLINT NOT NULL,
  PRIMARY KEY (product, id) INCLUDE (language, rating)
))",
    R"(CREATE INDEX IF NOT EXISTS {0}_by_language
  ON {0}_comments (product, language, id))",
    R"(CREATE INDEX IF NOT EXISTS {0}_by_rating
  ON {0}_comments (product, rating, id))",
    R"(CREATE INDEX IF NOT EXISTS {0}_by_both
  ON {0}_comments (product, language, rating, id))",
    R"(CREATE TABLE IF NOT EXISTS {0}_counts (
  product BYTEA NOT NULL,
  language BYTEA NOT NULL,
  rating SMALLINT NOT NULL,
  comments BIGINT NOT NULL,
  PRIMARY KEY (product, language, rating)
))",
    R"(CREATE TABLE IF NOT EXISTS {0}_blocks (
  product BYTEA NOT NULL,
  level SMALLINT NOT NULL,
  first_id BYTEA NOT NULL,
  cells BYTEA NOT NULL,
  PRIMARY KEY (product, level, first_id)
))",
    R"(CREATE TABLE IF NOT EXISTS {0}_marks (
  shard BYTEA NOT NULL PRIMARY KEY,
  place BYTEA NOT NULL,
  ended SMALLINT NOT NULL,
  as_of_ms BIGINT NOT NULL
))",
    R"(CREATE TABLE IF NOT EXISTS {0}_state (
  one SMALLINT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  name BYTEA NOT NULL,
  phase BYTEA NOT NULL,
  epoch BYTEA NOT NULL,
  stream BYTEA NOT NULL,
  clearing BYTEA NOT NULL
))",
};

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
