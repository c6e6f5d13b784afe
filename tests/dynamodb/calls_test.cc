// Requests are encoded and answers decoded. The fuzzer `table` damages answers.
#include "dynamodb/calls.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "dynamodb/retry.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

void expect_body(const Call& call, std::string_view operation, std::string_view body) {
  EXPECT_EQ(call.operation, operation);
  EXPECT_EQ(json::parse(call.body), json::parse(body)) << call.body;
}

TEST(Calls, AQueryNamesItsListAndItsStart) {
  QueryArguments arguments{.table = "comments",
                           .index = "byRating",
                           .partition_name = "GSI3PK",
                           .partition = "PRODUCT#42/5",
                           .start = Item{{"GSISK", string("01JD")}},
                           .forward = false,
                           .limit = 21};
  expect_body(query(arguments), "Query",
              R"({"TableName":"comments","IndexName":"byRating","ScanIndexForward":false,"Limit":21,
                  "KeyConditionExpression":"#p = :p","ExpressionAttributeNames":{"#p":"GSI3PK"},
                  "ExpressionAttributeValues":{":p":{"S":"PRODUCT#42/5"}},
                  "ExclusiveStartKey":{"GSISK":{"S":"01JD"}},"ReturnConsumedCapacity":"TOTAL"})");
  expect_body(query({.table = "t", .partition_name = "PK", .partition = "P"}), "Query",
              R"({"TableName":"t","ScanIndexForward":true,"KeyConditionExpression":"#p = :p",
                  "ExpressionAttributeNames":{"#p":"PK"},
                  "ExpressionAttributeValues":{":p":{"S":"P"}},"ReturnConsumedCapacity":"TOTAL"})");
}

TEST(Calls, AQueryHasBoundsOfItsSortKey) {
  auto condition = [](std::optional<Attribute> from, std::optional<Attribute> to) {
    auto body = boost::json::parse(query({.table = "t",
                                          .partition_name = "PK",
                                          .partition = "7",
                                          .partition_type = Type::number,
                                          .sort_name = "SK",
                                          .sort_from = from,
                                          .sort_to = to})
                                       .body)
                    .as_object();
    return boost::json::serialize(body["KeyConditionExpression"]) +
           boost::json::serialize(body["ExpressionAttributeValues"]);
  };
  EXPECT_EQ(condition(string("a"), string("b")),
            R"("#p = :p AND #s BETWEEN :a AND :b"{":a":{"S":"a"},":b":{"S":"b"},":p":{"N":"7"}})");
  EXPECT_EQ(condition(number(1), {}), R"("#p = :p AND #s >= :a"{":a":{"N":"1"},":p":{"N":"7"}})");
  EXPECT_EQ(condition({}, number(1)), R"("#p = :p AND #s <= :b"{":b":{"N":"1"},":p":{"N":"7"}})");
}

TEST(Calls, AWriteCarriesItsCondition) {
  Expression absent{"attribute_not_exists(#p)", {{"#p", "PK"}}};
  auto put = put_item("t", {{"PK", string("a")}, {"rating", number(5)}}, absent, Repeat::unsafe);
  expect_body(put, "PutItem",
              R"_({"TableName":"t","Item":{"PK":{"S":"a"},"rating":{"N":"5"}},
                   "ConditionExpression":"attribute_not_exists(#p)",
                   "ExpressionAttributeNames":{"#p":"PK"}})_");
  EXPECT_EQ(put.repeat, Repeat::unsafe);
  expect_body(delete_item("t", {{"PK", string("a")}}, {}, Repeat::safe), "DeleteItem",
              R"({"TableName":"t","Key":{"PK":{"S":"a"}}})");
}

TEST(Calls, ABatchNamesItsKeysAndItsAnswerWhatIsLeft) {
  expect_body(batch_get("t", {{{"PK", string("a")}}, {{"PK", string("b")}}}), "BatchGetItem",
              R"({"RequestItems":{"t":{"Keys":[{"PK":{"S":"a"}},{"PK":{"S":"b"}}]}},
                  "ReturnConsumedCapacity":"TOTAL"})");
  auto whole = decode_batch(R"({"Responses":{"t":[{"PK":{"S":"a"}}]},"UnprocessedKeys":{},
                                "ConsumedCapacity":[{"TableName":"t","CapacityUnits":1.5}]})",
                            "t");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->items, (std::vector<Item>{{{"PK", string("a")}}}));
  EXPECT_TRUE(whole->undone.empty());
  EXPECT_EQ(whole->consumed, 1.5);
  auto part =
      decode_batch(R"({"Responses":{},"UnprocessedKeys":{"t":{"Keys":[{"PK":{"S":"b"}}]}}})", "t");
  ASSERT_TRUE(part);
  EXPECT_TRUE(part->items.empty());
  EXPECT_EQ(part->undone, (std::vector<Item>{{{"PK", string("b")}}}));
  for (const char* other : {"", "[]", "{}", R"({"Responses":[]})", R"({"Responses":{"t":[1]}})",
                            R"({"Responses":{},"UnprocessedKeys":{"t":{"Keys":[""]}}})"})
    EXPECT_FALSE(decode_batch(other, "t")) << other;
}

TEST(Calls, ATransactionIsOneBody) {
  Expression condition{"#v = :old", {{"#v", "version"}}, {{":old", number(1)}}};
  Expression change{"SET #v = :new", {{"#v", "version"}}, {{":new", number(2)}}};
  auto made = transact("t",
                       {{Action::Kind::put, {{"PK", string("a")}}},
                        {Action::Kind::update, {{"PK", string("b")}}, condition, change},
                        {Action::Kind::remove, {{"PK", string("c")}}}},
                       "token");
  expect_body(made, "TransactWriteItems",
              R"({"ClientRequestToken":"token","TransactItems":[
                  {"Put":{"TableName":"t","Item":{"PK":{"S":"a"}}}},
                  {"Update":{"TableName":"t","Key":{"PK":{"S":"b"}},
                   "ConditionExpression":"#v = :old","UpdateExpression":"SET #v = :new",
                   "ExpressionAttributeNames":{"#v":"version"},
                   "ExpressionAttributeValues":{":old":{"N":"1"},":new":{"N":"2"}}}},
                  {"Delete":{"TableName":"t","Key":{"PK":{"S":"c"}}}}]})");
}

constexpr std::string_view page_body =
    R"({"Items":[{"PK":{"S":"a\u0000\"é"},"rating":{"N":"5"},"tags":{"SS":["x"]}},{}],)"
    R"("LastEvaluatedKey":{"PK":{"S":"a"}},"ConsumedCapacity":{"CapacityUnits":1.5},"Count":2})";

TEST(Calls, APageIsReadBack) {
  auto page = decode_page(page_body);
  ASSERT_TRUE(page);
  ASSERT_EQ(page->items.size(), 2u);
  EXPECT_EQ(text_of(page->items[0], "PK"), std::string_view("a\0\"\xC3\xA9", 5));
  EXPECT_EQ(number_of(page->items[0], "rating"), 5u);
  EXPECT_FALSE(text_of(page->items[0], "rating"));
  EXPECT_FALSE(number_of(page->items[0], "nothing"));
  EXPECT_EQ(page->last, (Item{{"PK", string("a")}}));
  EXPECT_EQ(page->consumed, 1.5);
  EXPECT_FALSE(decode_page(R"({"Items":[]})")->last) << "the end";
  // A value of another type is sent back as it came.
  EXPECT_EQ(decode_item(encode(page->items[0])), page->items[0]);
}

TEST(Calls, OnlyWholeNumbersAreRead) {
  for (const char* text : {"-1", "1.5", "1e3", "", "x", "99999999999999999999"})
    EXPECT_FALSE(number_of({{"n", {Type::number, text}}}, "n")) << text;
}

TEST(Calls, AnAnswerMayHaveNoItem) {
  EXPECT_FALSE(decode_get("{}")->item);
  EXPECT_EQ(decode_get(R"({"Item":{"PK":{"S":"a"}}})")->item, (Item{{"PK", string("a")}}));
  for (std::string_view odd : {"", "[]", R"({"Item":7})", R"({"Item":{"PK":"a"}})",
                               R"({"Item":{"PK":{"S":1}}})", R"({"Item":{"PK":{}}})"})
    EXPECT_FALSE(decode_get(odd)) << odd;
}

}  // namespace
}  // namespace quire::dynamodb
