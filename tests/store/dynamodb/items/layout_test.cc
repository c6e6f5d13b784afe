// The items of the table, attribute by attribute.
#include "store/dynamodb/items/layout.h"

#include <gtest/gtest.h>

#include <set>

#include <boost/json.hpp>

#include "store/dynamodb/items/reading.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

const Ulid id = Ulid::parse("01JD4QZ1V8ABCDEFGHJKMNPQRS").value();

Comment odd_comment() {
  return {.id = id,
          .product = "42",
          .language = "en",
          .rating = 5,
          .author = "",
          .title = "\"Fits\" <b>&amp;</b> \\ / 😀",
          .text = "one\n\ttwo\u00e9\u2028 \x7f"};
}

// The item as the service sends it back: encoded to JSON and decoded.
std::optional<Comment> read_back(const Item& item) {
  auto text = json::serialize(encode(item));
  return comment_of(decode_item(json::parse(text)).value());
}

Item with(Item item, const std::string& name, Attribute attribute) {
  item.insert_or_assign(name, std::move(attribute));
  return item;
}

TEST(Layout, ACommentIsOneItemThatIsInFourIndexes) {
  Comment comment = comment_at(1000, 1, "en", 5);
  comment.id = id;
  EXPECT_EQ(json::value(encode(comment_item(comment))), json::parse(R"({
    "PK":     {"S": "COMMENT#01JD4QZ1V8ABCDEFGHJKMNPQRS"},
    "SK":     {"S": "COMMENT#01JD4QZ1V8ABCDEFGHJKMNPQRS"},
    "GSIPK":  {"S": "PRODUCT#42/en/5"},
    "GSI2PK": {"S": "PRODUCT#42/en"},
    "GSI3PK": {"S": "PRODUCT#42/5"},
    "GSI4PK": {"S": "PRODUCT#42"},
    "GSISK":  {"S": "01JD4QZ1V8ABCDEFGHJKMNPQRS"},
    "language": {"S": "en"},
    "rating": {"N": "5"},
    "data":   {"S": "{\"author\":\"Ann\",\"title\":\"Fits\",\"text\":\"comment 1\"}"}})"));
}

TEST(Layout, StatisticsAreAnItemForAllLanguagesAndOneForEach) {
  EXPECT_EQ(json::value(encode(statistics_item("42", any, {1, 0, 2, 0, 1234}))), json::parse(R"({
    "PK": {"S": "PRODUCT#42"}, "SK": {"S": "S"},
    "GSIPK": {"S": "LEADERS"}, "GSISK": {"S": "000000001234"},
    "count_1": {"N": "1"}, "count_2": {"N": "0"}, "count_3": {"N": "2"}, "count_4": {"N": "0"},
    "count_5": {"N": "1234"}, "count_total": {"N": "1237"}})"));
  EXPECT_EQ(json::value(encode(statistics_item("42", cell("en", 5)[0], {0, 0, 0, 3, 9}))),
            json::parse(R"({
    "GSIPK": {"S": "LEADERS#en"}, "GSISK": {"S": "000000000009"},
    "PK": {"S": "PRODUCT#42"}, "SK": {"S": "S#en"},
    "count_1": {"N": "0"}, "count_2": {"N": "0"}, "count_3": {"N": "0"}, "count_4": {"N": "3"},
    "count_5": {"N": "9"}, "count_total": {"N": "12"}})"));
}

TEST(Layout, AnAverageIsAnEntryOfALeaderboardOfItsOwn) {
  EXPECT_EQ(json::value(encode(*average_item("42", any, {1, 0, 2, 0, 1234}))), json::parse(R"({
    "PK": {"S": "PRODUCT#42"}, "SK": {"S": "A"},
    "GSIPK": {"S": "AVERAGE"}, "GSISK": {"S": "4.9758"}})"));
  EXPECT_EQ(json::value(encode(*average_item("42", cell("en", 5)[0], {0, 0, 0, 0, 1}))),
            json::parse(R"({
    "PK": {"S": "PRODUCT#42"}, "SK": {"S": "A#en"},
    "GSIPK": {"S": "AVERAGE#en"}, "GSISK": {"S": "2.4037"}})"));
  EXPECT_FALSE(average_item("42", any, {}));
}

TEST(Layout, AProductIsAlwaysInTheSameShardOfALeaderboard) {
  std::set<std::string> partitions;
  for (int i = 0; i < 200; ++i) {
    std::string product = std::to_string(i);
    Item five = statistics_item(product, any, {0, 0, 0, 0, 1}, 8);
    partitions.insert(five.at("GSIPK").text);
    std::string average = average_item(product, any, {0, 0, 0, 0, 1}, 8)->at("GSIPK").text;
    EXPECT_EQ("LEADERS" + average.substr(7), five.at("GSIPK").text);
  }
  EXPECT_EQ(partitions,
            (std::set<std::string>{"LEADERS", "LEADERS/1", "LEADERS/2", "LEADERS/3", "LEADERS/4",
                                   "LEADERS/5", "LEADERS/6", "LEADERS/7"}));
  EXPECT_EQ(leaders_partition(Leaders::average, cell("en", 5)[0], 3), "AVERAGE#en/3");
}

TEST(Layout, OnlyProductsWithFivesAreAmongTheLeaders) {
  Item item = statistics_item("42", any, {1, 2, 3, 4, 0});
  EXPECT_FALSE(item.contains("GSIPK"));
  EXPECT_FALSE(item.contains("GSISK"));
}

TEST(Layout, StatisticsAreReadBackAndOtherItemsIgnored) {
  FacetValue english = cell("en", 1)[0];
  Totals totals;
  add_statistics(totals, statistics_item("42", any, {1, 2, 3, 4, 5}));
  add_statistics(totals, statistics_item("42", english, {1, 0, 0, 0, 5}));
  for (const char* other : {"S#EN", "S#", "SX", "T"})
    add_statistics(totals, with(statistics_item("42", any, {9, 9, 9, 9, 9}), "SK", string(other)));
  add_statistics(totals, {{"count_1", number(9)}});
  EXPECT_EQ(totals, (Totals{{any, {1, 2, 3, 4, 5}}, {english, {1, 0, 0, 0, 5}}}));
}

TEST(Layout, AReadGoesOnAfterAKeyOfItsIndex) {
  struct Row {
    Cell list;
    const char* index;
    const char* partition;
    const char* key;
  };
  const Row rows[] = {{Cell{}, "all", "GSI4PK", "PRODUCT#42"},
                      {{cell("en", 5)[0], any}, "byLang", "GSI2PK", "PRODUCT#42/en"},
                      {{any, 5}, "byRating", "GSI3PK", "PRODUCT#42/5"},
                      {cell("en", 5), "byLangAndRating", "GSIPK", "PRODUCT#42/en/5"}};
  for (const auto& row : rows) {
    Item start = resume_key("42", row.list, id);
    EXPECT_EQ(start, (Item{{"PK", string("COMMENT#" + id.text())},
                           {"SK", string("COMMENT#" + id.text())},
                           {row.partition, string(row.key)},
                           {"GSISK", string(id.text())}}));
    auto call = list_query("t", "42", Order::newest_first, {row.list, id, 7});
    auto body = json::parse(call.body).as_object();
    EXPECT_EQ(call.operation, "Query");
    EXPECT_EQ(body.at("IndexName"), row.index);
    EXPECT_EQ(body.at("ExpressionAttributeNames"),
              json::parse(R"({"#p":")" + std::string(row.partition) + R"("})"));
    EXPECT_EQ(body.at("ExpressionAttributeValues"),
              json::parse(R"({":p":{"S":")" + std::string(row.key) + R"("}})"));
    EXPECT_EQ(body.at("ExclusiveStartKey"), json::value(encode(start)));
    EXPECT_EQ(body.at("Limit"), 7);
    EXPECT_EQ(body.at("ScanIndexForward"), false);
    EXPECT_FALSE(body.contains("ConsistentRead")) << "an index refuses it";
  }
}

TEST(Layout, AReadFromTheBeginningNamesNoKeyAndTheServicesKeyGoesFirst) {
  auto body = [](const Call& call) { return json::parse(call.body).as_object(); };
  auto oldest = body(list_query("t", "42", Order::oldest_first, {Cell{}, {}, 7}));
  EXPECT_FALSE(oldest.contains("ExclusiveStartKey"));
  EXPECT_EQ(oldest.at("ScanIndexForward"), true);
  Item given = resume_key("42", Cell{}, id.next());
  auto further = body(list_query("t", "42", Order::oldest_first, {Cell{}, id, 7}, given));
  EXPECT_EQ(further.at("ExclusiveStartKey"), json::value(encode(given)));
}

TEST(Layout, NoProductForgesAnothersList) {
  EXPECT_EQ(statistics_key("a/b#c %é~-._", any).at("PK").text, "PRODUCT#a%2Fb%23c%20%25%C3%A9~-._");
  // Products whose names look like lists and keys of other products.
  const char* names[] = {"42",         "42/en",   "42/5", "42/en/5", "42%2Fen", "S",       "S#en",
                         "PRODUCT#42", "LEADERS", "#",    "/",       "42#",     "42%2fen", "4%32"};
  std::map<std::string, std::string> owner;
  for (const char* name : names) {
    Comment comment = comment_at(1000, 1, "en", 5, name);
    Item item = comment_item(comment);
    EXPECT_EQ(read_back(item), comment) << name;
    EXPECT_EQ(product_in(statistics_key(name, any)), name);
    for (auto attribute : partition_attributes) {
      auto [at, fresh] = owner.emplace(item.find(attribute)->second.text, name);
      EXPECT_TRUE(fresh) << name << " and " << at->second << " share " << at->first;
    }
  }
}

TEST(Layout, ACommentWithAnyTextsIsReadBack) {
  Comment comment = odd_comment();
  EXPECT_EQ(read_back(comment_item(comment)), comment);
  comment.author = "名前 \u202e עברית";
  comment.title = "";
  comment.text = std::string(50'000, 'x') + "\"";
  comment.product = std::string(256, '/');
  comment.language = "und";
  EXPECT_EQ(read_back(comment_item(comment)), comment);
}

TEST(Layout, TheAttributesInAnyIndexGiveTheComment) {
  Comment comment = odd_comment();
  Item whole = comment_item(comment);
  for (auto partition : partition_attributes) {
    Item projected;
    for (std::string_view name :
         {std::string_view("PK"), std::string_view("SK"), partition, sort_attribute,
          std::string_view("language"), std::string_view("rating"), std::string_view("data")})
      projected.emplace(name, whole.find(name)->second);
    EXPECT_EQ(comment_of(projected), comment) << partition;
  }
}

TEST(Layout, AnItemIsBilledItsNamesAndValues) {
  EXPECT_EQ(billed_bytes({}), 0u);
  EXPECT_EQ(billed_bytes({{"PK", string("abc")}, {"data", string("é")}}), 5u + 6u);
  // A number is billed its name, a byte for two digits, and about one more.
  EXPECT_EQ(billed_bytes({{"n", number(5)}}), 3u);
  EXPECT_EQ(billed_bytes({{"n", number(123456)}}), 6u);
}

}  // namespace
}  // namespace quire::dynamodb
