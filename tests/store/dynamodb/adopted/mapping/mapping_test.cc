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
  EXPECT_EQ(mapping.when.at(0).begins, std::vector<std::string>{"REVIEW#"});
  EXPECT_EQ(mapping.product->columns, std::vector<std::string>{"PK"});
  EXPECT_EQ(pattern_of(mapping.created_at).value_in("REVIEW#2024-11-20#7"), "2024-11-20");
  EXPECT_EQ(mapping.language->fallback, "und");
  EXPECT_FALSE(mapping.rating.fallback);
  EXPECT_FALSE(mapping.title);
  ASSERT_EQ(mapping.attributes.size(), 1u);
  EXPECT_EQ(mapping.attributes[0].field.columns, std::vector<std::string>{"verifiedPurchase"});
  EXPECT_EQ(mapping.paths,
            (std::set<std::string>{"PK", "SK", "lang", "stars", "user", "verifiedPurchase"}));
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
  expect_refused("[comment]", "[comments]", "quire table map prints a first mapping");
  expect_refused("rating = { attribute = \"stars\" }", "",
                 "Write rating = { attribute = \"NAME\" }");
  expect_refused("product = { attribute = \"PK\", pattern = \"PRODUCT#{product}\" }", "",
                 "[comment] needs product. Write product = { attribute = \"NAME\" }");
  expect_refused("stars", "", "comments.toml:6: attribute is a text");
  expect_refused("attribute = \"stars\"", "", ":6: rating needs an attribute");
  expect_refused("attribute = \"stars\"", "column = \"stars\"", ":6: rating has no \"column\"");
  expect_refused("lang\", default", "lang\", defualt",
                 "comments.toml:5: language has no \"defualt\"");
  expect_refused("iso8601", "iso", "comments.toml:4: \"iso\" is no format of a time");
  expect_refused("{product}", "product", "comments.toml:3: \"PRODUCT#product\" is no pattern here");
  expect_refused("{created_at}#", "{created_at}", ":4: ");
  expect_refused("{rest}", "{other}", ":4: ");
  expect_refused(", begins = \"REVIEW#\"", "",
                 "when needs an attribute, and begins, ends, is or not");
  expect_refused("verified =", "\"Verified Purchase\" =", "An attribute is NAME = { attribute");
  expect_refused("verified =", "status =", ":10: Quire keeps the name status for itself");
  expect_refused("rating = {", "rating = ", ":6: ");
  expect_refused("{ attribute = \"user\", default = \"\" }", "\"user\"", "author is a table");
  expect_refused("[attributes]",
                 "status = { attribute = \"s\", values = { ok = \"shown\" } }\n[attributes]",
                 "A value of status means published, pending, rejected");
  auto index = [](std::string_view to, std::string_view sentence) {
    expect_refused("[index]\nname = \"byProductAndDate\"\n", to, sentence);
  };
  index("[[index]]\nkey = { pattern = \"{product}\" }", "Write key = { attribute");
  index("[[index]]\nkey = { attribute = \"K\", pattern = \"{product}#{country}\" }",
        "is no pattern of an index's partition key");
  index("[[index]]\nkey = { attribute = \"K\", pattern = \"{language}\" }", "Write {product} once");
  index("[[index]]\nkey = { attribute = \"K\", pattern = \"{product}/{rating}\" }",
        "No index is by product alone");
  index("[[index]]\n[[index]]\nname = \"b\"", "Two indexes have keys of the same facets");
}

// Faults have a line each.
TEST(Mapping, AllFaultsAreToldAtOnce) {
  auto mapping = parse_mapping("[comment]\nproduct = 1\nrating.attribute = \"r\"\nwhy = 2\n", "m");
  ASSERT_FALSE(mapping);
  EXPECT_NE(mapping.error().message.find("m:2: product is a table"), std::string::npos);
  EXPECT_NE(mapping.error().message.find("\nm:4: [comment] has no \"why\""), std::string::npos);
}

// What serves an import of a file alone says so.
TEST(Mapping, WordsThatNoTableHasAreRefused) {
  auto refused = [](std::string_view line, std::string_view sentence) {
    expect_refused("[attributes]", std::string(line) + "\n[attributes]", sentence);
  };
  refused("customer = { attribute = \"buyer\" }", ":9: customer is of quire import");
  expect_refused("pattern = \"PRODUCT#{product}\"", "table = \"ids.csv\"",
                 ":3: table is of quire import");
  refused("id = { attribute = \"PK\" }\n[reply]\nof = \"parent\"", ":11: of is of quire import");
  refused("id = { attribute = [\"PK\", \"SK\"] }", ":9: A comment is asked for by its id");
  refused("id = { attribute = \"PK\", values = { a = \"b\" } }", ":9: A comment is asked for");
  refused("id = { default = \"a\" }", ":9: A comment is asked for by its id");
  expect_refused("[attributes]\nverified", "id = { attribute = \"PK\" }\n[attributes]\nid",
                 ":11: Quire keeps the name id for itself");
}

// A query makes keys of what a comment has, so no word of the mapping may change that.
TEST(Mapping, WordsThatNoKeyCanHaveAreRefused) {
  struct Case {
    std::string_view from, to, sentence;
  };
  const Case cases[] = {
      {"pattern = \"PRODUCT#{product}\"", "values = { a = \"b\" }",
       ":3: product is part of the key of an [[index]]"},
      {"pattern = \"PRODUCT#{product}\"", "replace = [\"a\", \"b\"]", "cannot have replace there"},
      {"pattern = \"PRODUCT#{product}\"", "default = \"none\"", "cannot have default there"},
      {"attribute = \"PK\", pattern", "attribute = [\"PK\", \"p\"], pattern",
       "Write key = { attribute = \"NAME\""},
      {"attribute = \"SK\", pattern = \"REVIEW#{c",
       "attribute = [\"SK\", \"t\"], pattern = \"REVIEW#{c",
       ":4: An [[index]] is asked by its sort key"},
      {"\"iso8601\"", "\"iso8601\", zone = \"Europe/Berlin\"", "cannot have zone there"},
      {"\"iso8601\"", "\"iso8601\", default = \"2024-01-31\"", "cannot have default there"},
      {"\"iso8601\"", "[\"iso8601\", \"epoch_s\"]", "cannot have several formats there"},
      {"\"iso8601\"", "\"DD/MM/YYYY\"", "cannot have this format there"},
      {"\"iso8601\"", "\"epoch\"", "cannot have this format there"},
      {"\"iso8601\"", "\"2021/8/25\"", "cannot have this format there"}};
  for (const auto& [from, to, sentence] : cases) {
    expect_refused(from, to, sentence);
    // Without an index they are words as others are.
    std::string text(interface_example);
    text.replace(text.find(from), from.size(), to);
    text.resize(text.find("[index]"));
    auto mapping = parse_mapping(text, "m");
    EXPECT_TRUE(mapping) << to << ": " << mapping.error().message;
  }
}

// The rating and the language of a key are those of the item.
TEST(Mapping, WordsThatNoListCanHaveAreRefused) {
  std::string lists(interface_example);
  lists.replace(lists.find("[index]"), lists.npos, four_indexes);
  auto with = [&](std::string_view from, std::string_view to) {
    auto text = lists;
    text.replace(text.find(from), from.size(), to);
    return parse_mapping(text, "m");
  };
  const std::pair<std::string_view, std::string_view> ratings[] = {
      {"max = 10", "cannot have max there"},
      {"max = \"scale\"", "cannot have max there"},
      {"round = \"up\"", "cannot have round there"},
      {"values = { up = 5, down = 1 }", "cannot have values there"}};
  for (auto [word, sentence] : ratings) {
    auto mapping = with("\"stars\"", "\"stars\", " + std::string(word));
    ASSERT_FALSE(mapping) << word;
    EXPECT_NE(mapping.error().message.find("leave the index with {rating} out"), std::string::npos);
    EXPECT_NE(mapping.error().message.find(sentence), std::string::npos) << mapping.error().message;
    // An index by product alone says nothing of ratings.
    std::string text(interface_example);
    text.replace(text.find("\"stars\""), 7, "\"stars\", " + std::string(word));
    EXPECT_TRUE(parse_mapping(text, "m")) << word;
  }
  auto language = with("\"lang\"", "\"lang\", values = { english = \"en\" }");
  ASSERT_FALSE(language);
  EXPECT_NE(language.error().message.find("leave the index with {language} out"),
            std::string::npos);
  EXPECT_TRUE(with("\"lang\"", "[\"lang\", \"locale\"]"));
  EXPECT_TRUE(with("\"stars\"", "\"stars\", max = 5"));
}

TEST(Mapping, TheTimeOfAKeyHasAForm) {
  auto time_of = [](std::string_view format) {
    std::string text(interface_example);
    text.replace(text.find("iso8601"), 7, format);
    return parse_mapping(text, "m").value().time;
  };
  using Kind = TimeFormat::Kind;
  EXPECT_EQ(time_of("iso8601"), TimeForm());
  EXPECT_EQ(time_of("epoch_s"), TimeForm{Kind::epoch_s});
  EXPECT_EQ(time_of("epoch_ms"), TimeForm{Kind::epoch_ms});
  EXPECT_EQ(time_of("2021-08-25 13:00"), (TimeForm{Kind::iso8601, ' ', 0, false}));
  EXPECT_EQ(time_of("2021-08-25T13:00:00-0330"), (TimeForm{Kind::iso8601, 'T', -210, true}));
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
