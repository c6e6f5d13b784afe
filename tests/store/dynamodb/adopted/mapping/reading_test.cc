// Items of other programs, read as comments by a mapping; and the ids that are made of their keys.
#include "store/dynamodb/adopted/mapping/reading.h"

#include <gtest/gtest.h>

#include <random>

#include "review_item.h"

namespace quire::adopted {
namespace {

const Mapping by_keys = parse_mapping(R"([comment]
when = { attribute = "SK", begins = "REVIEW#" }
product = { attribute = "PK", pattern = "PRODUCT#{product}" }
created_at = { attribute = "SK", pattern = "REVIEW#{created_at}#{rest}" }
language = { attribute = "lang", default = "und" }
rating = { attribute = "stars" }
author = { attribute = "user", default = "" }
title = { attribute = "headline", default = "" }
text = { attribute = "body", default = "" }
[attributes]
verified = { attribute = "verifiedPurchase" }
votes = { attribute = "votes" }
tags = { attribute = "tags" }
)",
                                      "m")
                            .value();
Item without(const std::string& name) {
  Item item = review;
  item.erase(name);
  return item;
}

// Values within a map, and within a text of JSON, have the same paths.
TEST(AdoptedItem, ValuesLieInMapsAndInJson) {
  auto mapping = parse_mapping(R"([comment]
product = { attribute = "PK", pattern = "PRODUCT#{product}" }
created_at = { attribute = "data.at" }
rating = { attribute = "data.stars.all" }
title = { attribute = "data.title" }
text = { attribute = "data.a.b" }
id = { attribute = "SK", pattern = "COMMENT#{id}" }
[attributes]
verified = { attribute = "data.verified" }
tags = { attribute = "data.tags" }
)",
                               "m")
                     .value();
  const Attribute forms[] = {
      json(R"({"M":{"at":{"S":"2024-11-20"},"stars":{"M":{"all":{"N":"4"}}},"title":{"S":"Fits"},)"
           R"("a.b":{"S":"Warm"},"verified":{"BOOL":true},"tags":{"L":[{"S":"fit"}]}}})"),
      text(R"({"at":"2024-11-20","stars":{"all":4},"title":"Fits","a.b":"Warm","verified":true,)"
           R"("tags":["fit"]})")};
  for (const auto& data : forms) {
    Item item{{"PK", text("PRODUCT#42")}, {"SK", text("COMMENT#100001")}, {"data", data}};
    auto reading = read_item(mapping, names, item);
    ASSERT_TRUE(reading.comment) << reading.reason;
    EXPECT_EQ(time_text(reading.comment->created_ms()), "2024-11-20T00:00:00.000Z");
    EXPECT_EQ(reading.comment->rating, 4);
    EXPECT_EQ(reading.comment->title, "Fits");
    EXPECT_EQ(reading.comment->text, "Warm");
    Attributes attributes{
        {"id", "100001"}, {"tags", std::vector<std::string>{"fit"}}, {"verified", true}};
    EXPECT_EQ(reading.comment->attributes, attributes);
    // An attribute with the path as its name comes first.
    item["data.title"] = text("Whole");
    EXPECT_EQ(read_item(mapping, names, item).comment->title, "Whole");
  }
  for (const auto& data :
       {text("no JSON"), json(R"({"L":[]})"), text("{\"at\":{}}"), digits("7")}) {
    Item item{{"PK", text("PRODUCT#42")}, {"SK", text("COMMENT#100001")}, {"data", data}};
    EXPECT_FALSE(read_item(mapping, names, item).reason.empty()) << data.text;
  }
}

TEST(AdoptedItem, IsReadAsAComment) {
  auto reading = read_item(by_keys, names, review);
  ASSERT_TRUE(reading.comment) << reading.reason;
  const Comment& comment = *reading.comment;
  EXPECT_EQ(comment.product, "42");
  EXPECT_EQ(comment.language, "en");
  EXPECT_EQ(comment.rating, 5);
  EXPECT_EQ(comment.author, "Ann");
  EXPECT_EQ(comment.title, "Fits");
  EXPECT_EQ(comment.text, "Warm\nand dry");
  EXPECT_EQ(time_text(comment.created_ms()), "2024-11-20T12:01:00.123Z");
  Attributes attributes{{"tags", std::vector<std::string>{"fit", "gift"}},
                        {"verified", true},
                        {"votes", std::int64_t{12}}};
  EXPECT_EQ(comment.attributes, attributes);
}

TEST(AdoptedItem, WhatIsMissingHasItsDefault) {
  Item item = {{"PK", review.at("PK")}, {"SK", review.at("SK")}, {"stars", text("3")}};
  auto comment = read_item(by_keys, names, item).comment.value();
  EXPECT_EQ(comment.language, "und");
  EXPECT_EQ(comment.rating, 3);
  EXPECT_EQ(comment.author + comment.title + comment.text, "");
  EXPECT_TRUE(comment.attributes.empty());
}

TEST(AdoptedItem, OthersAreNoComments) {
  for (const auto& item : {with("SK", text("ORDER#1")), without("SK"), Item{}}) {
    auto reading = read_item(by_keys, names, item);
    EXPECT_FALSE(reading.comment);
    EXPECT_EQ(reading.reason, "");
  }
}

TEST(AdoptedItem, OneThatIsNotPublishedIsNoComment) {
  auto mapping = mapping_with(R"(status = { attribute = "state" })");
  EXPECT_TRUE(read_item(mapping, names, review).comment);
  EXPECT_TRUE(read_item(mapping, names, with("state", text("published"))).comment);
  for (const char* state : {"pending", "rejected", "rejected:spam"}) {
    auto item = with("state", text(state));
    item["stars"] = digits("11");
    auto reading = read_item(mapping, names, item);
    EXPECT_FALSE(reading.comment) << state;
    EXPECT_EQ(reading.reason, "");
  }
  auto reading = read_item(mapping, names, with("state", text("hidden")));
  EXPECT_FALSE(reading.comment);
  EXPECT_EQ(reading.reason,
            "The status is not published, pending or rejected; list it in values: \"hidden\".");
}

// Words and flags of other programs mean one of Quire's own.
TEST(AdoptedItem, AStatusHasTheWordsOfItsOwner) {
  const std::string line =
      R"(status = { attribute = "state", values = { ok = "published", true = "published", )"
      R"(1 = "published")";
  auto mapping = mapping_with(line + " } }");
  const Attribute yes = json(R"({"BOOL":true})"), no = json(R"({"BOOL":false})");
  auto seen = [&](const Attribute& value) {
    return read_item(mapping, names, with("state", value)).comment.has_value();
  };
  for (const auto& value : {text("ok"), yes, digits("1")}) EXPECT_TRUE(seen(value));
  EXPECT_FALSE(seen(no));
  EXPECT_EQ(read_item(mapping, names, with("state", text("spam"))).reason,
            "The status is a word that its values do not list: \"spam\".");
  EXPECT_TRUE(read_item(mapping, names, review).comment) << "without a word, as without values";
  mapping = mapping_with(line + R"(, "*" = "pending" } })");
  for (const auto& value : {text("spam"), no, text("")}) EXPECT_FALSE(seen(value));
  EXPECT_EQ(read_item(mapping, names, with("state", text("spam"))).reason, "");
  EXPECT_FALSE(read_item(mapping, names, review).comment);
  mapping = mapping_with(line + R"(, "*" = "pending" }, default = "published" })");
  EXPECT_TRUE(read_item(mapping, names, review).comment);
}

TEST(AdoptedItem, BlanksAloneAreAnEmptyText) {
  auto mapping = mapping_with(R"(title = { attribute = "subject" })");
  auto read = read_item(mapping, names, with("subject", text("\u200B \n")));
  EXPECT_EQ(read.comment.value().title, "");
}

TEST(AdoptedItem, ADamagedOneSaysWhy) {
  auto reason = [](const Item& item) { return read_item(by_keys, names, item).reason; };
  EXPECT_NE(reason(with("PK", text("42"))).find("The product is not of the pattern"),
            std::string::npos);
  EXPECT_NE(reason(with("stars", digits("6"))).find("rating"), std::string::npos);
  EXPECT_NE(reason(with("stars", digits("3.5"))).find("rating"), std::string::npos);
  EXPECT_NE(reason(without("stars")).find("rating"), std::string::npos);
  EXPECT_NE(reason(with("lang", text("English"))).find("language"), std::string::npos);
  EXPECT_EQ(reason(with("body", text("a\xFF"))), "The text is no UTF-8.");
  EXPECT_NE(reason(with("SK", text("REVIEW#yesterday#1"))).find("The date needs a format"),
            std::string::npos);
}

TEST(AdoptedItem, ValuesThatNoAttributeHoldsAreLeftOut) {
  auto attributes = [](const Item& item) {
    return read_item(by_keys, names, item).comment.value().attributes;
  };
  EXPECT_FALSE(attributes(with("votes", digits("1.5"))).contains("votes"));
  EXPECT_FALSE(attributes(with("votes", digits("1E+30"))).contains("votes"));
  EXPECT_FALSE(attributes(with("votes", text(std::string(101, 'x')))).contains("votes"));
  EXPECT_FALSE(attributes(with("votes", json(R"({"M":{}})"))).contains("votes"));
  EXPECT_TRUE(attributes(with("votes", json(R"({"L":[{"S":"a"}]})"))).contains("votes"));
}

// An id of many digits is not rounded.
TEST(AdoptedItem, ANumberKeepsItsDigits) {
  auto mapping = mapping_with("product = { attribute = \"n\" }");
  for (const char* number : {"1", "9223372036854775807", "18446744073709551616",
                             "12345678901234567890123456789012345678", "0.1234567890123456789"}) {
    auto reading = read_item(mapping, names, with("n", digits(number)));
    EXPECT_EQ(reading.comment.value().product, number);
  }
}

TEST(AdoptedKey, KeysComeBack) {
  for (const auto& value : {text("a"), text(""), digits("12.5"), json(R"({"B":"AAEC"})")}) {
    Item key = {{"PK", value}, {"SK", text("b#\xC3\xA9")}};
    auto bytes = encode_key(names, key).value();
    EXPECT_EQ(decode_key(names, bytes), key);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_FALSE(decode_key(names, std::string_view(bytes).substr(0, size)));
    EXPECT_FALSE(decode_key(names, bytes + "S"));
  }
  EXPECT_FALSE(encode_key(names, {{"PK", text("a")}}));
  EXPECT_FALSE(encode_key(names, {{"PK", json(R"({"BOOL":true})")}, {"SK", text("b")}}));
}

// The bytes of docs/formats/adopted.md. Ids are in links and cursors, so they never change.
TEST(AdoptedKey, TheIdIsThatOfTheDocument) {
  Item key = {{"PK", text("PRODUCT#42")}, {"SK", digits("7")}};
  auto bytes = encode_key(names, key).value();
  EXPECT_EQ(bytes, std::string("S\0\012PRODUCT#42N\0\0017", 17));
  EXPECT_EQ(id_of(1'732'104'060'123, bytes).text(), "01JD4Q4Z6V9GWZSJDFV53EDCY2");
}

// Whatever an item has, it is read, damaged or passed over.
TEST(AdoptedItem, AnyItemIsReadOrRefused) {
  std::mt19937_64 random(11);
  const std::vector<Attribute> odd = {text(""),
                                      text("REVIEW#"),
                                      text("REVIEW#2024-11-20#"),
                                      text("PRODUCT#"),
                                      text(std::string("\0\xFF", 2)),
                                      text(std::string(2000, 'x')),
                                      digits("-0"),
                                      digits("1e400"),
                                      digits("99999999999999999999"),
                                      json("{}"),
                                      json(R"({"NULL":true})"),
                                      json(R"({"L":[1]})"),
                                      json("not JSON")};
  std::size_t read = 0;
  for (int round = 0; round < 20'000; ++round) {
    Item item = review;
    for (auto edits = random() % 4; edits > 0; --edits) {
      auto at = std::next(item.begin(), static_cast<std::ptrdiff_t>(random() % item.size()));
      if (random() % 4 == 0)
        item.erase(at);
      else
        at->second = odd[random() % odd.size()];
      if (item.empty()) break;
    }
    auto reading = read_item(by_keys, names, item);
    EXPECT_FALSE(reading.comment && !reading.reason.empty());
    if (!reading.comment) continue;
    ++read;
    EXPECT_EQ(reading.comment->id, id_of(reading.comment->created_ms(), reading.key));
  }
  EXPECT_GT(read, 1000u);
}

}  // namespace
}  // namespace quire::adopted
