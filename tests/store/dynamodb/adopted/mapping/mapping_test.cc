// The file of a mapping: read into a value, or refused with its line and what to write.
#include "store/dynamodb/adopted/mapping/mapping.h"

#include <gtest/gtest.h>

#include <random>

namespace quire::adopted {
namespace {

constexpr std::string_view interface_example = R"([comment]
when = { attribute = "SK", begins = "REVIEW#" }
product = { attribute = "PK", pattern = "PRODUCT#{product}" }
created_at = { attribute = "SK", pattern = "REVIEW#{created_at}#{rest}", format = "iso8601" }
language = { attribute = "lang", default = "und" }
rating = { attribute = "stars" }
author = { attribute = "user", default = "" }

[attributes]
verified = { attribute = "verifiedPurchase" }

[index]
name = "byProductAndDate"
)";

TEST(Mapping, TheInterfacesExampleIsRead) {
  auto mapping = parse_mapping(interface_example, "comments.toml").value();
  EXPECT_EQ(mapping.when->begins, "REVIEW#");
  EXPECT_EQ(mapping.product.attribute, "PK");
  EXPECT_EQ(mapping.created_at.pattern.value_in("REVIEW#2024-11-20#7"), "2024-11-20");
  EXPECT_EQ(mapping.language.fallback, "und");
  EXPECT_FALSE(mapping.rating.fallback);
  EXPECT_EQ(mapping.title.attribute, "");
  EXPECT_EQ(mapping.title.fallback, "");
  EXPECT_EQ(mapping.attributes.at("verified"), "verifiedPurchase");
  EXPECT_EQ(mapping.index, "byProductAndDate");
}

TEST(Mapping, AnotherTextHasAnotherPrint) {
  auto one = parse_mapping(interface_example, "a").value();
  auto other = parse_mapping(std::string(interface_example) + "#", "a").value();
  EXPECT_NE(one.print, other.print);
  EXPECT_EQ(one.print, parse_mapping(interface_example, "b").value().print);
}

TEST(Mapping, WithoutANameTheTableItselfIsTheIndex) {
  std::string text(interface_example);
  EXPECT_EQ(parse_mapping(text.substr(0, text.find("name =")), "a").value().index, "");
  EXPECT_FALSE(parse_mapping(text.substr(0, text.find("[index]")), "a").value().index);
}

void expect_refused(std::string_view from, std::string_view to, std::string_view sentence) {
  std::string text(interface_example);
  auto at = text.find(from);
  ASSERT_NE(at, text.npos);
  text.replace(at, from.size(), to);
  auto mapping = parse_mapping(text, "comments.toml");
  ASSERT_FALSE(mapping) << to;
  EXPECT_EQ(mapping.error().code, ErrorCode::invalid_parameter);
  EXPECT_NE(mapping.error().message.find(sentence), std::string::npos) << mapping.error().message;
}

TEST(Mapping, WhatIsWrongIsToldWithItsLine) {
  expect_refused("[comment]", "[comments]", "no \"comments\"");
  expect_refused("rating = { attribute = \"stars\" }", "", "Write rating = {");
  expect_refused("stars", "", "comments.toml:6: attribute is a text");
  expect_refused("lang\", default", "lang\", defualt",
                 "comments.toml:5: language has no \"defualt\"");
  expect_refused("iso8601", "iso",
                 "comments.toml:4: format is iso8601, epoch_s, epoch_ms, or a time");
  expect_refused("{product}", "product", "comments.toml:3: \"PRODUCT#product\" is no pattern here");
  expect_refused("{created_at}#", "{created_at}", ":4: ");
  expect_refused("{rest}", "{other}", ":4: ");
  expect_refused(", begins = \"REVIEW#\"", "", "when needs both");
  expect_refused("verified =", "\"Verified Purchase\" =", "An attribute is NAME");
  expect_refused("verified =", "status =", ":10: Quire keeps the name status for itself");
  expect_refused("rating = {", "rating = ", ":6: ");
  expect_refused("{ attribute = \"user\", default = \"\" }", "\"user\"", "author is a table");
}

TEST(Pattern, TakesTheValueOut) {
  auto value = [](std::string_view pattern, std::string_view text) {
    auto found = Pattern::parse(pattern, "v").value().value_in(text);
    return std::string(found.value_or("(none)"));
  };
  EXPECT_EQ(value("{v}", "all#of it"), "all#of it");
  EXPECT_EQ(value("A#{v}", "A#42"), "42");
  EXPECT_EQ(value("A#{v}", "B#42"), "(none)");
  EXPECT_EQ(value("A#{v}", "A#"), "(none)");
  EXPECT_EQ(value("{rest}#{v}#{rest}", "a#b#c#d"), "b");
  EXPECT_EQ(value("{v}#{rest}", "a#b#c"), "a");
  EXPECT_EQ(value("{rest}#{v}.z", "a#b.c.z"), "b.c");
  EXPECT_EQ(value("{v}#end", "#end"), "(none)");
  EXPECT_EQ(value("A{v}A", "A"), "(none)");
}

TEST(Pattern, MakesTheTextBack) {
  EXPECT_EQ(Pattern::parse("A#{v}#{rest}", "v").value().text_of("42"), "A#42#");
  EXPECT_EQ(Pattern::parse("{rest}#{v}", "v").value().text_of("42"), std::nullopt);
  EXPECT_EQ(Pattern().text_of("42"), "42");
  EXPECT_EQ(Pattern().value_in("42"), "42");
}

// Whatever the bytes, a mapping is read or refused.
TEST(Mapping, AnyBytesAreReadOrRefused) {
  std::mt19937_64 random(7);
  std::size_t read = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text(interface_example);
    for (auto edits = random() % 4; edits > 0; --edits) {
      auto at = random() % text.size();
      constexpr std::string_view bytes = "{}[]#=\"\\\n,. ax\xFF\x00";
      if (random() % 2)
        text[at] = bytes[random() % bytes.size()];
      else
        text.erase(at, random() % 20);
      if (text.empty()) break;
    }
    auto mapping = parse_mapping(text, "m");
    read += mapping.ok();
    if (!mapping) {
      EXPECT_FALSE(mapping.error().message.empty());
    }
  }
  EXPECT_GT(read, 100u);
}

}  // namespace
}  // namespace quire::adopted
