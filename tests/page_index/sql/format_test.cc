// The tables, as docs/formats/pages-sql.md shows them.
#include "page_index/sql/backends.h"

namespace quire::sql {
namespace {

// So that two comments of a product make blocks.
SqlOptions one_comment_a_block() {
  SqlOptions options;
  options.block_sizes = {.max_comments = 1, .max_blocks = 2};
  return options;
}

// A step with one comment, and another comment outside of steps.
void fill(SqlIndex& index) {
  State state = following();
  state.epoch = "e1";
  state.stream = "arn:aws:…";
  state.marks["scan#0"] = {"", true, 0};
  ASSERT_TRUE(wait(index.reset(state)));
  auto id = [](const char* text) { return Ulid::parse(text).value(); };
  Step step = step_of({}, {"00042", false, 1'732'104'060'155}, {});
  step.epoch = "e1";
  step.changes = {{"42", id("01JD4Q4Z7VTSV4RRFFQ69G5FAV"), {}, cell("en", 5)},
                  {"42", id("01JD4Q4Z7VTSV4RRFFQ69G5FAW"), {}, cell("en", 5)},
                  {"é/1", id("01JD4Q4Z7VTSV4RRFFQ69G5FAX"), {}, cell("yue", 1)}};
  ASSERT_TRUE(wait(index.apply(step)).value());
}

const char* const rows =
    R"(blocks 3432 0 00000000000000000000000000000000 en/5=1
blocks 3432 0 019349727CFBD6764C61EFB99302BD5C en/5=1
comments 3432 019349727CFBD6764C61EFB99302BD5B 656E 5
comments 3432 019349727CFBD6764C61EFB99302BD5C 656E 5
comments C3A92F31 019349727CFBD6764C61EFB99302BD5D 797565 1
counts 3432 656E 5 2
counts C3A92F31 797565 1 1
marks 73 3030303432 0 1732104060155
marks 7363616E2330  1 0
state 1 1 73686F70 666F6C6C6F77696E67 6531 61726E3A6177733AE280A6 
)";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// The columns as one text.
std::string joined(const Connection& connection, std::string columns) {
  if (&connection.dialect() == &mysql) return "CONCAT(" + columns + ")";
  replace_all(columns, ", ", " || ");
  if (&connection.dialect() == &postgresql) {
    replace_all(columns, "HEX(", "hex(");
    replace_all(columns, "cells", "convert_from(cells, 'UTF8')");
  }
  return columns;
}

std::string rows_of(Connection& connection) {
  struct Table {
    std::string name, columns;
  };
  const std::vector<Table> tables{
      {"blocks", "HEX(product), ' ', level, ' ', HEX(first_id), ' ', cells"},
      {"comments", "HEX(product), ' ', HEX(id), ' ', HEX(language), ' ', rating"},
      {"counts", "HEX(product), ' ', HEX(language), ' ', rating, ' ', comments"},
      {"marks", "HEX(shard), ' ', HEX(place), ' ', ended, ' ', as_of_ms"},
      {"state",
       "one, ' ', version, ' ', HEX(name), ' ', HEX(phase), ' ', HEX(epoch), ' ', "
       "HEX(stream), ' ', HEX(clearing)"},
  };
  std::string text;
  for (auto [name, columns] : tables) {
    auto table = connection.tables().prefix + "_" + name;
    for (const auto& [row] : connection.rows<std::string>("SELECT " + joined(connection, columns) +
                                                          " FROM " + table + " ORDER BY 1"))
      text += name + " " + row + "\n";
  }
  return text;
}

TEST(SqlFormat, InSqlite) {
  TemporaryDirectory directory;
  DataSource source{
      SqliteFile{directory.path() + "/pages.db"}, tables_of("shop"), Access::write, {}};
  SqlIndex index(source.address, "shop", source.access, one_comment_a_block());
  fill(index);
  Prepared connection(source);
  std::string schema;
  for (const auto& [sql] : connection.rows<std::string>(
           "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"))
    schema += sql + ";\n";
  EXPECT_EQ(schema, R"(CREATE TABLE quire_pages_shop_blocks (
  product BLOB NOT NULL,
  level INTEGER NOT NULL,
  first_id BLOB NOT NULL,
  cells BLOB NOT NULL,
  PRIMARY KEY (product, level, first_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX quire_pages_shop_by_language
  ON quire_pages_shop_comments (product, language, id);
CREATE INDEX quire_pages_shop_by_language_and_rating
  ON quire_pages_shop_comments (product, language, rating, id);
CREATE INDEX quire_pages_shop_by_rating
  ON quire_pages_shop_comments (product, rating, id);
CREATE TABLE quire_pages_shop_comments (
  product BLOB NOT NULL,
  id BLOB NOT NULL,
  language BLOB NOT NULL,
  rating INTEGER NOT NULL,
  PRIMARY KEY (product, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE quire_pages_shop_counts (
  product BLOB NOT NULL,
  language BLOB NOT NULL,
  rating INTEGER NOT NULL,
  comments INTEGER NOT NULL,
  PRIMARY KEY (product, language, rating)
) STRICT, WITHOUT ROWID;
CREATE TABLE quire_pages_shop_marks (
  shard BLOB NOT NULL PRIMARY KEY,
  place BLOB NOT NULL,
  ended INTEGER NOT NULL,
  as_of_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE quire_pages_shop_state (
  one INTEGER NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  name BLOB NOT NULL,
  phase BLOB NOT NULL,
  epoch BLOB NOT NULL,
  stream BLOB NOT NULL,
  clearing BLOB NOT NULL
) STRICT;
)");
  EXPECT_EQ(rows_of(connection), rows);
  EXPECT_EQ(std::get<0>(connection.rows<std::string>("PRAGMA journal_mode").at(0)), "wal");
  EXPECT_EQ(std::get<0>(connection.rows<long long>("PRAGMA synchronous").at(0)), 2);
}

TEST(SqlFormat, InMariaDb) {
  DataSource source{address_of(mariadb()), tables_of("shop"), Access::write, {}};
  SqlIndex index(source.address, "shop", source.access, one_comment_a_block());
  fill(index);
  Prepared connection(source);
  std::string schema;
  for (const char* table : {"blocks", "comments", "counts", "marks", "state"}) {
    auto shown = connection.rows<std::string, std::string>("SHOW CREATE TABLE quire_pages_shop_" +
                                                           std::string(table));
    auto text = std::get<1>(shown.at(0));
    schema += text.substr(0, text.rfind(" DEFAULT CHARSET")) + ";\n";
  }
  EXPECT_EQ(schema, R"(CREATE TABLE `quire_pages_shop_blocks` (
  `product` varbinary(256) NOT NULL,
  `level` tinyint(3) unsigned NOT NULL,
  `first_id` binary(16) NOT NULL,
  `cells` mediumblob NOT NULL,
  PRIMARY KEY (`product`,`level`,`first_id`)
) ENGINE=InnoDB;
CREATE TABLE `quire_pages_shop_comments` (
  `product` varbinary(256) NOT NULL,
  `id` binary(16) NOT NULL,
  `language` varbinary(12) NOT NULL,
  `rating` tinyint(3) unsigned NOT NULL,
  PRIMARY KEY (`product`,`id`),
  KEY `by_language` (`product`,`language`,`id`),
  KEY `by_rating` (`product`,`rating`,`id`),
  KEY `by_language_and_rating` (`product`,`language`,`rating`,`id`)
) ENGINE=InnoDB;
CREATE TABLE `quire_pages_shop_counts` (
  `product` varbinary(256) NOT NULL,
  `language` varbinary(12) NOT NULL,
  `rating` tinyint(3) unsigned NOT NULL,
  `comments` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`product`,`language`,`rating`)
) ENGINE=InnoDB;
CREATE TABLE `quire_pages_shop_marks` (
  `shard` varbinary(255) NOT NULL,
  `place` blob NOT NULL,
  `ended` tinyint(3) unsigned NOT NULL,
  `as_of_ms` bigint(20) unsigned NOT NULL,
  PRIMARY KEY (`shard`)
) ENGINE=InnoDB;
CREATE TABLE `quire_pages_shop_state` (
  `one` tinyint(3) unsigned NOT NULL,
  `version` int(10) unsigned NOT NULL,
  `name` varbinary(255) NOT NULL,
  `phase` varbinary(16) NOT NULL,
  `epoch` blob NOT NULL,
  `stream` blob NOT NULL,
  `clearing` varbinary(16) NOT NULL,
  PRIMARY KEY (`one`)
) ENGINE=InnoDB;
)");
  EXPECT_EQ(rows_of(connection), rows);
}

TEST(SqlFormat, InPostgresql) {
  DataSource source{address_of(postgresql_server()), tables_of("shop"), Access::write, {}};
  SqlIndex index(source.address, "shop", source.access, one_comment_a_block());
  fill(index);
  Prepared connection(source);
  std::string schema;
  for (const auto& [column] : connection.rows<std::string>(
           "SELECT table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable "
           "FROM information_schema.columns WHERE table_name LIKE 'quire_pages_shop_%' "
           "ORDER BY table_name, ordinal_position"))
    schema += column + "\n";
  for (const auto& [index] : connection.rows<std::string>(
           "SELECT indexdef FROM pg_indexes WHERE tablename LIKE 'quire_pages_shop_%' "
           "ORDER BY indexname"))
    schema += index + "\n";
  EXPECT_EQ(schema, R"(quire_pages_shop_blocks product bytea NO
quire_pages_shop_blocks level smallint NO
quire_pages_shop_blocks first_id bytea NO
quire_pages_shop_blocks cells bytea NO
quire_pages_shop_comments product bytea NO
quire_pages_shop_comments id bytea NO
quire_pages_shop_comments language bytea NO
quire_pages_shop_comments rating smallint NO
quire_pages_shop_counts product bytea NO
quire_pages_shop_counts language bytea NO
quire_pages_shop_counts rating smallint NO
quire_pages_shop_counts comments bigint NO
quire_pages_shop_marks shard bytea NO
quire_pages_shop_marks place bytea NO
quire_pages_shop_marks ended smallint NO
quire_pages_shop_marks as_of_ms bigint NO
quire_pages_shop_state one smallint NO
quire_pages_shop_state version integer NO
quire_pages_shop_state name bytea NO
quire_pages_shop_state phase bytea NO
quire_pages_shop_state epoch bytea NO
quire_pages_shop_state stream bytea NO
quire_pages_shop_state clearing bytea NO
CREATE UNIQUE INDEX quire_pages_shop_blocks_pkey ON public.quire_pages_shop_blocks USING btree (product, level, first_id)
CREATE INDEX quire_pages_shop_by_both ON public.quire_pages_shop_comments USING btree (product, language, rating, id)
CREATE INDEX quire_pages_shop_by_language ON public.quire_pages_shop_comments USING btree (product, language, id)
CREATE INDEX quire_pages_shop_by_rating ON public.quire_pages_shop_comments USING btree (product, rating, id)
CREATE UNIQUE INDEX quire_pages_shop_comments_pkey ON public.quire_pages_shop_comments USING btree (product, id) INCLUDE (language, rating)
CREATE UNIQUE INDEX quire_pages_shop_counts_pkey ON public.quire_pages_shop_counts USING btree (product, language, rating)
CREATE UNIQUE INDEX quire_pages_shop_marks_pkey ON public.quire_pages_shop_marks USING btree (shard)
CREATE UNIQUE INDEX quire_pages_shop_state_pkey ON public.quire_pages_shop_state USING btree (one)
)");
  connection.execute(
      "CREATE OR REPLACE FUNCTION hex(bytea) RETURNS text LANGUAGE SQL "
      "AS 'SELECT upper(encode($1, ''hex''))'");
  EXPECT_EQ(rows_of(connection), rows);
}

}  // namespace
}  // namespace quire::sql
