// The item of the parts of lists, attribute by attribute, and the names of parts.
#include "store/dynamodb/items/parts_item.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/plain_table.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

constexpr std::size_t on_all = 0, on_rating = 2;

TableParts some() {
  return {7, {{{"", on_rating}, {2, 4}}, {{"a b", on_all}, {1, 8}}, {{"a b", on_rating}, {3, 3}}}};
}

TEST(PartsItem, AllDeclarationsAreOneItem) {
  EXPECT_EQ(json::value(encode(parts_item(some()))), json::parse(R"({
    "PK": {"S": "PARTS"}, "SK": {"S": "PARTS"}, "version": {"N": "7"},
    "parts": {"S": "[{\"index\":\"byRating\",\"written\":2,\"read\":4},{\"product\":\"a b\",\"index\":\"all\",\"written\":1,\"read\":8},{\"product\":\"a b\",\"index\":\"byRating\",\"written\":3,\"read\":3}]"}})"));
  auto read = read_parts(parts_item(some()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->version, 7u);
  EXPECT_EQ(read->rows, some().rows);
}

// Comments of the product may lie in the parts of the table's declaration, from before its own.
TEST(PartsItem, AProductIsReadInAllPartsDeclaredForItOrForTheTable) {
  EXPECT_EQ(some().of("a b").written, (Parts{1, 1, 3, 1}));
  EXPECT_EQ(some().of("a b").read, (Parts{8, 1, 4, 1}));
  EXPECT_EQ(some().of("other").written, (Parts{1, 1, 2, 1}));
  EXPECT_EQ(some().of("other").read, (Parts{1, 1, 4, 1}));
  EXPECT_EQ(TableParts().of("a b").read, undivided);
  EXPECT_EQ(all_parts().of("a b").written, undivided);
  EXPECT_EQ(all_parts().of("a b").read, (Parts{16, 16, 16, 16}));
}

TEST(PartsItem, OtherItemsAreDamaged) {
  for (const char* name : {"version", "parts"}) {
    auto item = parts_item(some());
    item.erase(name);
    EXPECT_FALSE(read_parts(item)) << name;
  }
  for (const char* rows :
       {"{}", "[1]", "[{}]", R"([{"index":"none","written":1,"read":1}])",
        R"([{"index":"all","written":0,"read":1}])", R"([{"index":"all","written":1,"read":17}])",
        R"([{"index":"all","written":2,"read":1}])", R"([{"index":"all","read":1}])",
        R"([{"product":"","index":"all","written":1,"read":1}])",
        R"([{"index":"all","written":1,"read":1},{"index":"all","written":1,"read":1}])"}) {
    auto item = parts_item(some());
    item.insert_or_assign("parts", string(rows));
    EXPECT_FALSE(read_parts(item)) << rows;
  }
}

TEST(Parts, APartIsNamedByItsNumberButForTheFirst) {
  Cell list = cell("en", 5);
  EXPECT_EQ(list_key("a#part2", list), "PRODUCT#a%23part2/en/5");
  EXPECT_EQ(list_key("42", list, 15), "PRODUCT#42/en/5#part15");
  for (std::size_t part = 0; part < max_parts; ++part) {
    auto key = list_key("42", list, part);
    EXPECT_EQ(part_in(key, list_key("42", list)), part);
    EXPECT_EQ(without_part(key), list_key("42", list));
  }
  for (const char* key :
       {"PRODUCT#42/en/5#part", "PRODUCT#42/en/5#part0", "PRODUCT#42/en/5#part16",
        "PRODUCT#42/en/5#part02", "PRODUCT#42/en/5#part2 ", "PRODUCT#42/en/5/2", "PRODUCT#42/en"}) {
    EXPECT_FALSE(part_in(key, list_key("42", list))) << key;
    EXPECT_EQ(without_part(key), key);
  }
}

// Other programs and later versions must find the same parts.
TEST(Parts, AnIdHasItsPartForever) {
  std::vector<std::size_t> parts;
  for (std::uint64_t i = 0; i < 8; ++i)
    parts.push_back(part_of(id_at(1'700'000'000'000, i * 1'000'003), 4));
  EXPECT_EQ(parts, (std::vector<std::size_t>{1, 2, 3, 1, 2, 0, 3, 1}));
  std::array<int, 16> held{};
  for (std::uint64_t i = 0; i < 16'000; ++i) ++held[part_of(id_at(1000 + i, i), 16)];
  for (int comments : held) EXPECT_NEAR(comments, 1000, 200);
}

TEST(Parts, ACommentGoesIntoItsPartOfEachList) {
  Comment comment = comment_at(1000, 1, "en", 5);
  ListParts parts{{1, 2, 4, 16}, {1, 2, 4, 16}};
  Item keys = list_keys(comment, parts);
  EXPECT_EQ(keys.at("GSI4PK"), string("PRODUCT#42"));
  EXPECT_EQ(keys.at("GSI2PK"), string(list_key("42", cell("en", 0), part_of(comment.id, 2))));
  EXPECT_EQ(keys.at("GSI3PK").text,
            "PRODUCT#42/5" + list_key("", Cell{}, part_of(comment.id, 4)).substr(8));
  EXPECT_EQ(comment_of(comment_item(comment, parts)), comment);
}

TEST(Parts, ACommentStaysInItsPartAsLongAsItIsReadAndInTheList) {
  Comment comment = comment_at(1000, 1, "en", 5);
  Item before = comment_item(comment);
  before["GSI3PK"] = string("PRODUCT#42/5#part3");
  before["GSI2PK"] = string("PRODUCT#42/en#part3");
  ListParts parts{undivided, {1, 2, 4, 1}};
  Item keys = list_keys(comment, parts, &before);
  EXPECT_EQ(keys.at("GSI3PK"), string("PRODUCT#42/5#part3"));
  EXPECT_EQ(keys.at("GSI2PK"), string("PRODUCT#42/en")) << "only two parts are read";
  comment.rating = 4;
  EXPECT_EQ(list_keys(comment, parts, &before).at("GSI3PK"), string("PRODUCT#42/4"));
}

}  // namespace
}  // namespace quire::dynamodb
