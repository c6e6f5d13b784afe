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
  ASSERT_EQ(mapping.indexes.size(), 1u);
  EXPECT_EQ(mapping.indexes[0].name, "byProductAndDate");
  EXPECT_EQ(mapping.indexes[0].partition, "PK");
  EXPECT_EQ(mapping.indexes[0].key.key_of("42", Cell{}), "PRODUCT#42");
}

TEST(Mapping, AnotherTextHasAnotherPrint) {
  auto one = parse_mapping(interface_example, "a").value();
  auto other = parse_mapping(std::string(interface_example) + "#", "a").value();
  EXPECT_NE(one.fingerprint, other.fingerprint);
  EXPECT_EQ(one.fingerprint, parse_mapping(interface_example, "b").value().fingerprint);
}

TEST(Mapping, WithoutANameTheTableItselfIsTheIndex) {
  std::string text(interface_example);
  EXPECT_EQ(parse_mapping(text.substr(0, text.find("name =")), "a").value().indexes[0].name, "");
  EXPECT_TRUE(parse_mapping(text.substr(0, text.find("[index]")), "a").value().indexes.empty());
}

constexpr std::string_view four_indexes = R"([[index]]
name = "all"
key = { attribute = "GSI4PK", pattern = "PRODUCT#{product}" }
[[index]]
name = "byLang"
key = { attribute = "GSI2PK", pattern = "PRODUCT#{product}/{language}" }
[[index]]
key = { attribute = "GSI3PK", pattern = "{rating}#{product}" }
[[index]]
name = "byLangAndRating"
key = { attribute = "GSIPK", pattern = "PRODUCT#{product}/{language}/{rating}" }
)";

TEST(Mapping, SeveralIndexesHaveAKeyEach) {
  std::string text(interface_example);
  text.replace(text.find("[index]"), text.npos, four_indexes);
  auto indexes = parse_mapping(text, "m").value().indexes;
  std::vector<std::string> keys;
  for (const auto& each : indexes)
    keys.push_back(each.partition + "=" + each.key.key_of("42", cell("pt-BR", 5)));
  EXPECT_EQ(keys, (std::vector<std::string>{"GSI4PK=PRODUCT#42", "GSI2PK=PRODUCT#42/pt-BR",
                                            "GSI3PK=5#42", "GSIPK=PRODUCT#42/pt-BR/5"}));
  EXPECT_EQ(indexes[1].key.keyed(), (FacetSet{true, false}));
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
  expect_refused("[attributes]",
                 "status = { attribute = \"s\", values = { ok = \"shown\" } }\n[attributes]",
                 "A value of status means published, pending or rejected");
  expect_refused("stars\"", "stars\", values = { ok = \"published\" }", "rating has no \"values\"");
  auto index = [](std::string_view to, std::string_view sentence) {
    expect_refused("[index]\nname = \"byProductAndDate\"\n", to, sentence);
  };
  index("[[index]]\nkey = { pattern = \"{product}\" }", "key needs an attribute");
  index("[[index]]\nkey = { attribute = \"K\", pattern = \"{product}#{country}\" }",
        "is no pattern of an index's partition key");
  index("[[index]]\nkey = { attribute = \"K\", pattern = \"{language}\" }", "Write {product} once");
  index("[[index]]\nkey = { attribute = \"K\", pattern = \"{product}/{rating}\" }",
        "No index is by product alone");
  index("[[index]]\n[[index]]\nname = \"b\"", "Two indexes have keys of the same facets");
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
