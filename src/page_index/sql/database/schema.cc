#include "page_index/sql/database/schema.h"

namespace quire::sql {

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

}  // namespace quire::sql
