// Items that any program wrote, read as comments: valid ones, damaged ones and other items.
#include "store/dynamodb/items/reading.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "dynamodb/item.h"
#include "store/dynamodb/items/layout.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

const Comment fits = {.id = Ulid::parse("01JD4QZ1V8ABCDEFGHJKMNPQRS").value(),
                      .product = "42",
                      .language = "en",
                      .rating = 5,
                      .author = "Ann",
                      .title = "Fits",
                      .text = "Warm"};
const Item whole = comment_item(fits);

Item with(const std::string& name, Attribute attribute) {
  Item item = whole;
  item.insert_or_assign(name, std::move(attribute));
  return item;
}

Item without(const std::string& name) {
  Item item = whole;
  item.erase(name);
  return item;
}

// A comment's id is in two attributes of its key.
Item with_id(const std::string& id) {
  Item item = with("PK", string("COMMENT#" + id));
  item["SK"] = item["PK"];
  item["GSISK"] = string(id);
  return item;
}

void expect_damaged(const Item& item, std::string_view reason) {
  auto judged = read_comment(item);
  EXPECT_FALSE(judged.comment);
  EXPECT_NE(judged.reason.find(reason), std::string::npos) << judged.reason;
}

TEST(Reading, ItemsThatQuireWritesAreRead) {
  EXPECT_EQ(comment_of(whole), fits);
}

TEST(Reading, AbsentTextsAreEmpty) {
  Comment empty = fits;
  empty.author = empty.title = empty.text = "";
  EXPECT_EQ(comment_of(without("data")), empty);
  for (const char* data : {"{}", R"({"title":null,"other":[1]})"})
    EXPECT_EQ(comment_of(with("data", string(data))), empty) << data;
  for (const char* data : {R"({"NULL":true})", R"({"M":{}})", R"({"M":{"title":{"NULL":true}}})"})
    EXPECT_EQ(comment_of(with("data", {Type::other, data})), empty) << data;
}

TEST(Reading, DataMayBeAMap) {
  EXPECT_EQ(comment_of(with("data", {Type::other, R"({"M":{"author":{"S":"Ann"},"text":{"S":"Warm"},
      "title":{"S":"Fits"},"images":{"L":[{"N":"7"}]}}})"})),
            fits);
}

TEST(Reading, AttributesAreInTheData) {
  Comment comment = fits;
  comment.attributes = {{"helpful", -8},
                        {"size", "M"},
                        {"tags", std::vector<std::string>{"gift", "é"}},
                        {"verified", true}};
  Item item = comment_item(comment);
  EXPECT_EQ(item.at("data").text, R"({"author":"Ann","title":"Fits","text":"Warm","attributes":)"
                                  R"({"helpful":-8,"size":"M","tags":["gift","é"],)"
                                  R"("verified":true}})");
  EXPECT_EQ(comment_of(item), comment);
  auto as_map = [](std::string attributes) {
    return with("data", {Type::other, R"({"M":{"author":{"S":"Ann"},"text":{"S":"Warm"},"title":)"
                                      R"({"S":"Fits"},"attributes":)" +
                                          attributes + "}}"});
  };
  for (auto tags : {R"({"L":[{"S":"gift"},{"S":"é"}]})", R"({"SS":["gift","é"]})"}) {
    auto map = std::string(R"({"M":{"helpful":{"N":"-8"},"size":{"S":"M"},"tags":)") + tags +
               R"(,"verified":{"BOOL":true}}})";
    EXPECT_EQ(comment_of(as_map(map)), comment) << tags;
  }
  for (auto none : {R"({"NULL":true})", R"({"M":{}})"}) EXPECT_EQ(comment_of(as_map(none)), fits);
  for (auto bad : {R"({"M":{"helpful":{"N":"1.5"}}})", R"({"M":{"Size":{"S":"M"}}})",
                   R"({"M":{"size":{"S":""}}})", R"({"M":{"n":{"NS":["1"]}}})", R"({"S":"x"})",
                   R"({"M":{"b":{"B":"eA=="}}})", R"({"L":[]})", "7", R"({"M":{"a":7.5}})"})
    expect_damaged(as_map(bad), "Its attributes");
  for (auto bad : {"7", "[]", R"({"a":1.5})", R"({"a":null})", R"({"A":1})", R"({"a":["b","b"]})"})
    expect_damaged(with("data", string(std::string(R"({"attributes":)") + bad + "}")),
                   "Its attributes");
  for (auto none : {"null", "{}"}) {
    auto data = std::string(R"({"author":"Ann","title":"Fits","text":"Warm","attributes":)");
    EXPECT_EQ(comment_of(with("data", string(data + none + "}"))), fits) << none;
  }
}

TEST(Reading, ARatingMayBeAText) {
  EXPECT_EQ(comment_of(with("rating", string("5"))), fits);
}

TEST(Reading, CarriageReturnsEndLines) {
  Comment lines = fits;
  lines.text = "\none\ntwo\n\nthree\n";
  auto read = comment_of(with("data", string(R"({"author":"Ann","title":"Fits",
      "text":"\rone\r\ntwo\r\n\rthree\r"})")));
  EXPECT_EQ(read, lines);
}

TEST(Reading, ALanguageInAnotherFormIsReadInItsCanonicalForm) {
  for (const char* language : {"PT_br", "pt-br", "pt_BR"}) {
    auto read = comment_of(with("language", string(language)));
    ASSERT_TRUE(read) << language;
    EXPECT_EQ(read->language, "pt-BR");
  }
}

TEST(Reading, LanguageAndRatingAreAsTheListsNameThem) {
  for (const char* rating : {"0", "6", "9", "-1", "4.5", "", "x", "05", " 5", "4294967297"}) {
    expect_damaged(with("rating", {Type::number, rating}), "Its rating");
    expect_damaged(with("rating", string(rating)), "Its rating");
  }
  for (const char* language : {"", "e", "engl", "e1", "é", "_"})
    expect_damaged(with("language", string(language)), "Its language");
  for (const char* name : {"language", "rating"}) {
    expect_damaged(without(name), "Its ");
    expect_damaged(with(name, {Type::other, R"({"NULL":true})"}), "Its ");
    expect_damaged(with(name, {Type::other, R"({"M":{}})"}), "Its ");
  }
  expect_damaged(with("language", number(5)), "Its language");
}

TEST(Reading, DataWithoutTextsIsDamage) {
  for (const char* data : {"", "{", "[]", "null", "7", "\"x\"", R"({"text":""}})"})
    expect_damaged(with("data", string(data)), "Its data is no JSON object");
  for (const char* data : {R"({"L":[]})", R"({"BOOL":true})", R"({"SS":["a"]})"})
    expect_damaged(with("data", {Type::other, data}), "Its data is neither");
  expect_damaged(with("data", number(7)), "Its data is neither");
  for (const char* name : {"author", "title", "text"}) {
    for (const char* value : {"7", "[]", "{}", "true"}) {
      std::string data = std::string("{\"") + name + "\":" + value + "}";
      expect_damaged(with("data", string(data)), std::string("Its ") + name + " is no text");
    }
    for (const char* value : {R"({"N":"7"})", R"({"M":{}})", "{}", "\"bare\"", R"({"S":7})"}) {
      std::string data = std::string("{\"M\":{\"") + name + "\":" + value + "}}";
      expect_damaged(with("data", {Type::other, data}), std::string("Its ") + name + " is no");
    }
    std::string bell = std::string("{\"") + name + R"(":"a\u0007"})";
    expect_damaged(with("data", string(bell)), std::string("Its ") + name + " has control");
  }
}

TEST(Reading, AnIdIsAULIDInUpperCaseUpToTheYear9999) {
  for (const char* id : {"", "42", "01jd4qz1v8abcdefghjkmnpqrs", "01JD4QZ1V8ABCDEFGHJKMNPQRU",
                         "81JD4QZ1V8ABCDEFGHJKMNPQRS", "01JD4QZ1V8ABCDEFGHJKMNPQRS1"})
    expect_damaged(with_id(id), "Its id is not a ULID");
  expect_damaged(with_id("7ZZZZZZZZZZZZZZZZZZZZZZZZZ"), "after the year 9999");
  auto last = Ulid::make(max_time_ms, {}).text();
  EXPECT_TRUE(comment_of(with_id(last))) << "the writer gives the time";
}

// Any of the index keys names the product: an item read from an index has only one of them.
TEST(Reading, TheIndexKeysNameTheProduct) {
  Item item = whole;
  item["GSIPK"] = string("PRODUCT#3/en/5");
  for (const auto& [name, key] : {std::pair{"GSI4PK", "PRODUCT#1"},
                                  {"GSI2PK", "PRODUCT#2/en"},
                                  {"GSI3PK", "PRODUCT#4/5"},
                                  {"GSIPK", "PRODUCT#3/en/5"}}) {
    Item lone = without("GSI4PK");
    for (auto attribute : partition_attributes) lone.erase(std::string(attribute));
    lone[name] = string(key);
    std::string_view digits(key);
    EXPECT_EQ(comment_of(lone)->product, digits.substr(8, 1)) << name;
  }
  EXPECT_EQ(comment_of(item)->product, "42") << "GSI4PK goes first";
  Item nowhere = whole;
  for (auto attribute : partition_attributes) nowhere.erase(std::string(attribute));
  expect_damaged(nowhere, "None of its index keys names a product");
  nowhere["GSI4PK"] = string("LEADERS");
  expect_damaged(nowhere, "None of its index keys names a product");
  for (const char* product : {"PRODUCT#", "PRODUCT#..", "PRODUCT#%00", "PRODUCT#%FF"})
    expect_damaged(with("GSI4PK", string(product)), "A product is");
  expect_damaged(with("GSI4PK", string("PRODUCT#" + std::string(257, 'x'))), "A product is");
}

TEST(Reading, AProductThatIsNotEncodedIsRead) {
  for (const auto& [key, product] : {std::pair{"PRODUCT#a b", "a b"},
                                     {"PRODUCT#a/b", "a/b"},
                                     {"PRODUCT#a%2fb", "a/b"},
                                     {"PRODUCT#100%", "100%"},
                                     {"PRODUCT#%zz", "%zz"},
                                     {"PRODUCT#größe", "größe"}})
    EXPECT_EQ(comment_of(with("GSI4PK", string(key)))->product, product) << key;
  Item item = without("GSI4PK");
  item["GSI2PK"] = string("PRODUCT#a/b/en");
  EXPECT_EQ(comment_of(item)->product, "a/b");
}

TEST(Reading, OtherItemsAreNoDamage) {
  for (const auto& item : {key_of("PRODUCT#42", "S"), key_of("READY", "READY"), Item{},
                           key_of("COMMENT#" + fits.id.text(), "IMAGE#1")}) {
    EXPECT_FALSE(read_comment(item).comment);
    EXPECT_EQ(read_comment(item).reason, "");
    EXPECT_FALSE(damage_of(item));
  }
}

TEST(Reading, AnItemSetAsideIsNoCommentUntilItIsListedAgain) {
  Item aside = key_of("COMMENT#x", "COMMENT#x");
  aside["aside"] = string("Its id is not a ULID in upper case.");
  aside["aside_GSISK"] = string("x");
  EXPECT_EQ(read_comment(aside).reason, "");
  EXPECT_FALSE(is_comment(aside));
  EXPECT_EQ(comment_of(with("aside", string("it was"))), fits);
}

TEST(Reading, WhatARemovedCommentLeftIsNoComment) {
  Item left = removed_item(fits.id);
  EXPECT_EQ(left, (Item{{"PK", string("COMMENT#" + fits.id.text())},
                        {"SK", string("COMMENT#" + fits.id.text())},
                        {"removed_here", number(1)}}));
  EXPECT_TRUE(is_removed(left));
  EXPECT_FALSE(is_comment(left));
  EXPECT_EQ(read_comment(left).reason, "");
  auto emptied = with("removed_here", number(1));
  EXPECT_FALSE(is_removed(emptied));
  EXPECT_EQ(comment_of(emptied), fits);
}

TEST(Reading, ItemsNestedAsDeepAsTheServiceAllowsAreRead) {
  std::string value = R"({"S":"end"})";
  for (int i = 0; i < 31; ++i) value = R"({"M":{"down":)" + value + "}}";
  Item item = with("mine", {Type::other, value});
  auto text = boost::json::serialize(encode(item));
  auto parsed = parse_object(R"({"Records":[{"dynamodb":{"NewImage":)" + text + "}}]}");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(boost::json::serialize(encode(item)), text);
  EXPECT_EQ(comment_of(
                with("data", {Type::other, R"({"M":{"title":{"S":"Fits"},"deep":)" + value + "}}"}))
                ->title,
            "Fits");
}

TEST(DamagedItems, AreLoggedOnceAnHourEach) {
  DamagedItems items;
  DamagedItems::Time now{};
  EXPECT_TRUE(items.due("a", now));
  EXPECT_FALSE(items.due("a", now + std::chrono::minutes(59)));
  EXPECT_TRUE(items.due("b", now + std::chrono::minutes(59)));
  EXPECT_TRUE(items.due("a", now + std::chrono::minutes(60)));
  EXPECT_FALSE(items.due("a", now + std::chrono::minutes(61)));
}

TEST(DamagedItems, AreRememberedUpToABound) {
  DamagedItems items;
  DamagedItems::Time now{};
  for (std::size_t i = 0; i < DamagedItems::max_keys; ++i)
    EXPECT_TRUE(items.due(std::to_string(i), now));
  EXPECT_FALSE(items.due("one more", now));
  EXPECT_FALSE(items.due("0", now));
  EXPECT_TRUE(items.due("one more", now + DamagedItems::silence));
}

TEST(DamagedItems, AreShownOnOneLine) {
  EXPECT_EQ(shown({"COMMENT#\n\"x", "It is bad."}),
            R"(Item "COMMENT#\n\"x" is damaged: It is bad.)");
  DamagedItems items;
  items.note({"x", "It is bad."});
  items.note({"x", "It is bad."});
  EXPECT_EQ(items.total(), 2u);
}

}  // namespace
}  // namespace quire::dynamodb
