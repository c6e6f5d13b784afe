// The file of a mapping: read into a value, or refused with each fault's line and what to write.
#include "mapping/file_mapping.h"

#include <gtest/gtest.h>

#include <random>

namespace quire {
namespace {

constexpr std::string_view whole = R"([file]
source = "shop"
rows = "review"
format = "csv"
encoding = "windows-1252"
delimiter = "tab"
zone = "Europe/Berlin"
[comment]
when = { column = "type", begins = ["re", "co"], ends = "t", is = "comment", not = 0 }
id = { column = "id", pattern = "C#{id}" }
product = { column = ["sku", "url"], pattern = ["https://{rest}/{product}?{rest}", "{product}"], table = "ids.csv" }
rating = { column = "stars", max = 10, round = "down" }
created_at = { column = "date", format = ["DD/MM/YYYY", "iso8601"], default = "2020-01-31", zone = "UTC" }
language = { default = "de" }
author = { column = "by", values = { Anonymous = "" } }
title = { column = "head", unless_in_text = true }
text = { column = "body", html = true, replace = ["a", ""] }
status = { column = "state", values = { ok = "published", spam = "rejected:spam", "*" = "pending" } }
pictures = { column = "img", member = "url", replace = ["x", "y"] }
customer = { column = "user" }
[reply]
author = { default = "The shop" }
text = { column = "reply" }
created_at = { column = "reply_date" }
when = [{ column = "a", is = "1" }, { column = "b", not = "2" }]
[attributes]
verified = { column = "v", type = "flag", values = { buyer = true, "*" = false } }
helpful = { column = "h", type = "number" }
size = { column = "s", type = "choice" }
tags = { column = "t", type = "tags" }
plain = { column = "p" }
)";

TEST(FileMapping, IsRead) {
  auto mapping = parse_file_mapping(whole, "map.toml").value();
  EXPECT_EQ(mapping.source, "shop");
  EXPECT_EQ(mapping.rows, "review");
  EXPECT_EQ(mapping.format, "csv");
  EXPECT_EQ(mapping.encoding, "windows-1252");
  EXPECT_EQ(mapping.delimiter, '\t');
  EXPECT_EQ(mapping.zone.utc_ms(0), -3'600'000);
  ASSERT_EQ(mapping.when.size(), 1u);
  EXPECT_EQ(mapping.when[0].begins, (std::vector<std::string>{"re", "co"}));
  EXPECT_EQ(mapping.when[0].none, std::vector<std::string>{"0"});
  EXPECT_EQ(mapping.product->columns, (std::vector<std::string>{"sku", "url"}));
  EXPECT_EQ(mapping.product->patterns.size(), 2u);
  EXPECT_EQ(mapping.product_table, "ids.csv");
  EXPECT_EQ(mapping.rating.max, "10");
  EXPECT_FALSE(mapping.rating.max_is_column);
  EXPECT_EQ(mapping.rating.rounding, Rounding::down);
  EXPECT_EQ(mapping.created_at.formats.size(), 2u);
  EXPECT_EQ(mapping.language->fallback, "de");
  EXPECT_EQ(mapping.author->values.at("Anonymous"), "");
  EXPECT_TRUE(mapping.title->unless_in_text);
  EXPECT_TRUE(mapping.text->html);
  EXPECT_EQ(mapping.pictures->member, "url");
  EXPECT_EQ(mapping.reply.when.size(), 2u);
  std::string types;
  for (const auto& each : mapping.attributes)
    types += each.name + std::to_string(static_cast<int>(each.type)) + " ";
  EXPECT_EQ(types, "helpful2 plain0 size3 tags4 verified1 ");
}

TEST(FileMapping, MayBeSmall) {
  auto mapping = parse_file_mapping(
      "[comment]\nrating = { column = \"r\", max = \"m\" }\ncreated_at.column = \"d\"\n", "m");
  ASSERT_TRUE(mapping) << mapping.error().message;
  EXPECT_FALSE(mapping->product);
  EXPECT_TRUE(mapping->rating.max_is_column);
  EXPECT_EQ(mapping->rating.max, "m");
}

void expect_refused(std::string_view from, std::string_view to, std::string_view sentence) {
  std::string text(whole);
  auto at = text.find(from);
  ASSERT_NE(at, text.npos) << from;
  text.replace(at, from.size(), to);
  auto mapping = parse_file_mapping(text, "map.toml");
  ASSERT_FALSE(mapping) << to;
  EXPECT_EQ(mapping.error().code, ErrorCode::invalid_parameter);
  EXPECT_NE(mapping.error().message.find(sentence), std::string::npos) << mapping.error().message;
}

TEST(FileMapping, WhatIsWrongInAFieldIsToldWithItsLine) {
  expect_refused("column = \"stars\"", "colum = \"stars\"", "map.toml:12: rating has no \"colum\"");
  expect_refused("column = \"by\"", "column = \"\"", ":15: column is a text");
  expect_refused("column = \"by\"", "column = [\"a\", 1]", ":15: column is a text");
  expect_refused("C#{id}", "C#", ":10: \"C#\" is no pattern here");
  expect_refused("C#{id}", "C#{ids}", ":10: ");
  expect_refused("max = 10", "max = 0", ":12: max is the greatest rating");
  expect_refused("max = 10", "max = []", ":12: max is the greatest rating");
  expect_refused("\"down\"", "\"even\"", ":12: round is \"up\" or \"down\"");
  expect_refused("\"DD/MM/YYYY\"", "\"dd/MM/yyyy\"", ":13: \"dd/MM/yyyy\" is no format");
  expect_refused("\"2020-01-31\"", "\"soon\"", ":13: default is a time");
  expect_refused("zone = \"UTC\"", "zone = \"Berlin\"", ":13: There is no zone \"Berlin\"");
  expect_refused("language = { default = \"de\" }", "language = {}",
                 ":14: language needs a column");
  expect_refused("{ Anonymous = \"\" }", "\"Anonymous\"", ":15: values is a table");
  expect_refused("unless_in_text = true", "unless_in_text = 1", ":16: unless_in_text is true or");
  expect_refused("html = true", "max = 5", ":17: text has no \"max\"");
  expect_refused("[\"a\", \"\"]", "[\"\", \"a\"]", ":17: Write replace = [");
  expect_refused("\"rejected:spam\"", "\"rejected:\"", ":18: A value of status means");
  expect_refused("\"pending\"", "\"held\"", ":18: A value of status means");
  expect_refused("rating = {", "rating2 = {", "[comment] needs rating");
  expect_refused("text = { column = \"reply\" }", "", ":21: [reply] needs a text");
}

TEST(FileMapping, WhatIsWrongElsewhereIsToldWithItsLine) {
  expect_refused("source =", "sauce =", ":2: [file] has no \"sauce\"");
  expect_refused("\"csv\"", "\"xlsx\"", ":4: format is csv, json or xml");
  expect_refused("\"tab\"", "\"::\"", ":6: delimiter is one character");
  expect_refused("Europe/Berlin", "Europe/Atlantis", ":7: There is no zone");
  expect_refused("[comment]", "[comments]", "The section [comment] is missing");
  expect_refused("when = { column = \"type\", ", "when = { ", ":9: when needs a column");
  expect_refused("not = 0", "not = []", ":9: not is a text, or a list of texts");
  expect_refused("not = 0", "contains = 0", ":9: when has no \"contains\"");
  expect_refused("{ column = \"a\", is = \"1\" }", "\"a\"", "Write when = {");
  expect_refused("verified =", "Verified =", "An attribute is NAME =");
  expect_refused("verified =", "status =", "Quire keeps the name status for itself");
  expect_refused("verified =", "source_id =", "Quire keeps the name source_id for itself");
  expect_refused("\"number\"", "\"integer\"", "type is flag, number, text, choice or tags");
  expect_refused("buyer = true", "buyer = \"perhaps\"", "A value of a flag means true or false");
  expect_refused("reply_date\" }", "reply_date\" }\nof = \"parent\"\nx = 1",
                 "[reply] has no \"x\"");
  auto no_id = parse_file_mapping(
      "[comment]\nrating.column = \"r\"\ncreated_at.column = \"d\"\n[reply]\nof = \"p\"", "m");
  ASSERT_FALSE(no_id);
  EXPECT_EQ(no_id.error().message,
            "m:4: [reply] of names the id of a comment, so [comment] needs id.");
}

TEST(FileMapping, AllFaultsAreToldAtOnce) {
  auto mapping = parse_file_mapping("[file]\nsauce = 1\n[comment]\nratings = 1\n", "m");
  ASSERT_FALSE(mapping);
  std::string lines;
  for (std::size_t at = 0; at != std::string::npos;
       at = mapping.error().message.find("\nm:", at + 1))
    lines += mapping.error().message.substr(at + (at > 0 ? 3 : 2), 1);
  EXPECT_EQ(lines, "2334");
}

// Whatever the bytes, a mapping is read or refused.
TEST(FileMapping, AnyBytesAreReadOrRefused) {
  std::mt19937_64 random(7);
  std::size_t read = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text(whole);
    for (auto edits = random() % 4; edits > 0; --edits) {
      auto at = random() % text.size();
      constexpr std::string_view bytes = "{}[]#=\"\\\n,. ax\xFF\x00";
      if (random() % 2)
        text[at] = bytes[random() % bytes.size()];
      else
        text.erase(at, random() % 20);
    }
    auto mapping = parse_file_mapping(text, "m");
    read += mapping.ok();
    if (!mapping) {
      EXPECT_TRUE(mapping.error().message.starts_with("m:")) << mapping.error().message;
    }
  }
  EXPECT_GT(read, 100u);
}

TEST(FileMapping, FactsNeedANameAndAProduct) {
  auto fault = [](const std::string& toml) {
    auto mapping = parse_file_mapping(toml, "m");
    return mapping ? std::string() : mapping.error().message;
  };
  const std::string name = "[facts]\nname.column = \"n\"\n";
  auto both = parse_file_mapping(
      name + "[comment]\nproduct.column=\"p\"\nrating.column=\"r\"\ncreated_at.column=\"d\"\n",
      "m");
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_TRUE(both->has_comments && both->facts && !both->facts->product);
  auto alone = parse_file_mapping(name + "product.column = \"p\"\n", "m");
  ASSERT_TRUE(alone) << alone.error().message;
  EXPECT_FALSE(alone->has_comments);
  EXPECT_NE(fault(name).find("[comment] is missing"), std::string::npos);
  EXPECT_NE(fault("[facts]\nproduct.column=\"p\"\n").find("[facts] needs name"), std::string::npos);
  EXPECT_NE(fault(name + "product.column=\"p\"\nprice.column=\"q\"\n").find("price"),
            std::string::npos);
}

}  // namespace
}  // namespace quire
