// The table's definition and description, and the two exports against their golden files.
// After a change that is meant to change the files: QUIRE_GOLDEN=write build/…/store_dynamodb_test,
// then read the difference.
#include "store/dynamodb/provision/table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "store/dynamodb/provision/described.h"
#include "store/dynamodb/provision/exports.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;
using Sentences = std::vector<std::string>;

json::object body_of(const Call& call) {
  return json::parse(call.body).as_object();
}

TableDescription decoded(const json::object& table) {
  return decode_table(answer_of(table)).value();
}

json::object& index_in(json::object& table, std::string_view name) {
  for (auto& index : table["GlobalSecondaryIndexes"].as_array()) {
    if (index.at("IndexName").as_string() == name) return index.as_object();
  }
  throw std::out_of_range("no such index");
}

TEST(Table, OnDemandHasNoUnits) {
  auto call = create_table("comments", {});
  EXPECT_EQ(call.operation, "CreateTable");
  EXPECT_EQ(body_of(call).at("BillingMode"), "PAY_PER_REQUEST");
  EXPECT_EQ(body_of(call).at("StreamSpecification"),
            json::parse(R"({"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"})"));
  EXPECT_EQ(call.body.find("ProvisionedThroughput"), call.body.npos);
}

TEST(Table, ProvisionedGivesUnitsToEachIndexToo) {
  auto body = body_of(create_table("comments", {.read_units = 5, .write_units = 7}));
  auto units = json::parse(R"({"ReadCapacityUnits":5,"WriteCapacityUnits":7})");
  EXPECT_EQ(body.at("BillingMode"), "PROVISIONED");
  EXPECT_EQ(body.at("ProvisionedThroughput"), units);
  ASSERT_EQ(body.at("GlobalSecondaryIndexes").as_array().size(), 4u);
  for (const auto& index : body.at("GlobalSecondaryIndexes").as_array())
    EXPECT_EQ(index.at("ProvisionedThroughput"), units);
}

TEST(Table, IsNamedInTheOtherCalls) {
  EXPECT_EQ(describe_table("t").operation, "DescribeTable");
  EXPECT_EQ(describe_table("t").body, R"({"TableName":"t"})");
  EXPECT_EQ(describe_expiry("t").operation, "DescribeTimeToLive");
  EXPECT_EQ(describe_expiry("t").body, R"({"TableName":"t"})");
  EXPECT_EQ(enable_expiry("t").operation, "UpdateTimeToLive");
  EXPECT_EQ(
      enable_expiry("t").body,
      R"({"TableName":"t","TimeToLiveSpecification":{"AttributeName":"expires","Enabled":true}})");
}

TEST(Table, IsReadBackFromItsDescription) {
  auto table = decoded(described({.read_units = 5, .write_units = 7}));
  EXPECT_TRUE(table.active());
  EXPECT_EQ(table.keys, (std::vector<Key>{{"PK", "S"}, {"SK", "S"}}));
  EXPECT_EQ(table.items, 7u);
  EXPECT_EQ(table.bytes, 4096u);
  EXPECT_FALSE(table.on_demand);
  EXPECT_EQ(table.read_units, 5u);
  EXPECT_EQ(table.write_units, 7u);
  EXPECT_EQ(table.stream, "arn:aws:dynamodb:eu-west-1:1:table/comments/stream/2024");
  ASSERT_EQ(table.indexes.size(), 4u);
  const auto& last = table.indexes[3];
  EXPECT_EQ(last.name, "byLangAndRating");
  EXPECT_EQ(last.keys, (std::vector<Key>{{"GSIPK", "S"}, {"GSISK", "S"}}));
  EXPECT_EQ(last.projection, "INCLUDE");
  EXPECT_EQ(last.projected, (std::vector<std::string>{"language", "rating", "data"}));
  EXPECT_EQ(last.items, 5u);
  EXPECT_EQ(last.bytes, 2048u);
  EXPECT_TRUE(decoded(described()).on_demand);
}

TEST(Table, IsNotReadyWhileAnIndexIsNotReady) {
  auto table = described();
  index_in(table, "byLang")["IndexStatus"] = "CREATING";
  EXPECT_FALSE(decoded(table).active());
}

TEST(Table, HasNoStreamOnceItWasSwitchedOff) {
  auto table = described();
  table["StreamSpecification"] = {{"StreamEnabled", false}};
  EXPECT_EQ(decoded(table).stream, "");
}

TEST(Table, FitsAsItIsCreated) {
  for (TableOptions options : {TableOptions{}, TableOptions{5, 7}}) {
    auto table = decoded(described(options));
    EXPECT_EQ(differences(table), Sentences{});
    table.expiry = "expires";
    EXPECT_EQ(differences(table), Sentences{});
  }
}

TEST(Table, MayHaveMoreThanItNeeds) {
  auto table = described();
  index_in(table, "all")["Projection"] = {{"ProjectionType", "ALL"}};
  index_in(table, "byLang").at("Projection").at("NonKeyAttributes").as_array().push_back("colour");
  auto more = index_in(table, "byRating");
  more["IndexName"] = "byColour";
  table["GlobalSecondaryIndexes"].as_array().push_back(more);
  EXPECT_EQ(differences(decoded(table)), Sentences{});
}

TEST(Table, DiffersByASentenceEach) {
  auto table = described();
  table["AttributeDefinitions"].as_array()[1].as_object()["AttributeType"] = "N";
  index_in(table, "all")["IndexName"] = "every";
  index_in(table, "byLang")["KeySchema"].as_array().pop_back();
  index_in(table, "byRating")["Projection"] = {{"ProjectionType", "KEYS_ONLY"}};
  index_in(table, "byLangAndRating").at("Projection").at("NonKeyAttributes").as_array().pop_back();
  table.erase("StreamSpecification");
  auto read = decoded(table);
  read.expiry = "";
  EXPECT_EQ(
      differences(read),
      (Sentences{
          "Its key is PK (S), SK (N), not PK (S), SK (S).", "The index all is missing.",
          "The index byLang has the key GSI2PK (S), not GSI2PK (S), GSISK (S).",
          "The index byRating does not hold language.", "The index byRating does not hold rating.",
          "The index byRating does not hold data.", "The index byLangAndRating does not hold data.",
          "It has no stream; it needs one of NEW_AND_OLD_IMAGES.",
          "Its items do not expire; they must expire by expires."}));
  table = described();
  table["StreamSpecification"].as_object()["StreamViewType"] = "KEYS_ONLY";
  read = decoded(table);
  read.expiry = "ttl";
  EXPECT_EQ(differences(read), (Sentences{"Its stream is of KEYS_ONLY, not NEW_AND_OLD_IMAGES.",
                                          "Its items expire by ttl, not expires."}));
}

TEST(Table, HasTheAttributeByWhichItemsExpire) {
  auto expiry = [](std::string_view content) {
    return decode_expiry(R"({"TimeToLiveDescription":{)" + std::string(content) + "}}");
  };
  EXPECT_EQ(expiry(R"("TimeToLiveStatus":"ENABLED","AttributeName":"expires")"), "expires");
  EXPECT_EQ(expiry(R"("TimeToLiveStatus":"ENABLING","AttributeName":"ttl")"), "ttl");
  EXPECT_EQ(expiry(R"("TimeToLiveStatus":"DISABLED")"), "");
  EXPECT_EQ(expiry(R"("TimeToLiveStatus":"DISABLING","AttributeName":"expires")"), "");
  for (std::string_view odd : {"", "[]", "{}", R"({"TimeToLiveDescription":7})"})
    EXPECT_FALSE(decode_expiry(odd)) << odd;
}

TEST(Table, IsNotReadFromOtherBodies) {
  for (std::string_view odd :
       {"", "[]", "{}", R"({"Table":[]})", R"({"Table":{"TableStatus":"ACTIVE"}})",
        R"({"Table":{"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]}})"})
    EXPECT_FALSE(decode_table(odd)) << odd;
}

void expect_golden(const std::string& name, const std::string& text) {
  std::string path = QUIRE_TABLES "/" + name;
  const char* mode = std::getenv("QUIRE_GOLDEN");
  if (mode && mode == std::string_view("write")) std::ofstream(path) << text;
  std::ifstream in(path);
  std::string golden(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(text, golden) << "if this is intended, run with QUIRE_GOLDEN=write to write " << path;
}

TEST(Exports, CloudFormationEqualsTheGoldenFile) {
  expect_golden("cloudformation.golden", cloudformation("comments", {}));
}

TEST(Exports, CloudFormationTakesNameAndUnitsAsDefaults) {
  auto parameters = json::parse(cloudformation("shop", {5, 7})).at("Parameters");
  EXPECT_EQ(parameters.at("TableName").at("Default"), "shop");
  EXPECT_EQ(parameters.at("ReadUnits").at("Default"), "5");
  EXPECT_EQ(parameters.at("WriteUnits").at("Default"), "7");
}

TEST(Exports, NosqlWorkbenchEqualsTheGoldenFile) {
  expect_golden("nosql_workbench.golden", nosql_workbench("comments"));
}

// The tool refuses a model whose keys or rows have undeclared attributes.
TEST(Exports, NosqlWorkbenchDeclaresAllAttributes) {
  auto table = json::parse(nosql_workbench("comments")).at("DataModel").at(0);
  std::map<std::string, std::string> types{{"PK", "S"}, {"SK", "S"}};
  for (const auto& each : table.at("NonKeyAttributes").as_array())
    types[json::value_to<std::string>(each.at("AttributeName"))] =
        json::value_to<std::string>(each.at("AttributeType"));
  for (const auto& index : table.at("GlobalSecondaryIndexes").as_array()) {
    for (const auto& key : index.at("KeyAttributes").as_object())
      EXPECT_TRUE(types.contains(json::value_to<std::string>(key.value().at("AttributeName"))));
  }
  for (const auto& row : table.at("TableData").as_array()) {
    for (const auto& [name, value] : row.as_object())
      EXPECT_EQ(value.as_object().begin()->key(), types.at(name)) << name;
  }
}

}  // namespace
}  // namespace quire::dynamodb
