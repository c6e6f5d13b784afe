#include "store/dynamodb/provision/cloudformation.h"

#include <boost/json.hpp>

#include "store/dynamodb/provision/pretty.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

json::value reference(std::string_view name) {
  return {{"Ref", name}};
}

json::value if_on_demand(json::value then, json::value otherwise) {
  return {{"Fn::If", json::array{"OnDemand", std::move(then), std::move(otherwise)}}};
}

json::object parameters(const std::string& name, const TableOptions& options) {
  return {{"TableName",
           {{"Type", "String"},
            {"Default", name},
            {"AllowedPattern", "[a-zA-Z0-9_.-]{3,255}"},
            {"Description", "The table's name"}}},
          {"ReadUnits",
           {{"Type", "Number"},
            {"Default", std::to_string(options.read_units)},
            {"MinValue", 0},
            {"Description", "Read units of the table and of each index; both units 0: on demand"}}},
          {"WriteUnits",
           {{"Type", "Number"},
            {"Default", std::to_string(options.write_units)},
            {"MinValue", 0},
            {"Description", "Write units of the table and of each index"}}}};
}

json::object properties() {
  json::value units{{"ReadCapacityUnits", reference("ReadUnits")},
                    {"WriteCapacityUnits", reference("WriteUnits")}};
  auto out = definition(if_on_demand(reference("AWS::NoValue"), std::move(units)));
  out["TableName"] = reference("TableName");
  out["BillingMode"] = if_on_demand("PAY_PER_REQUEST", "PROVISIONED");
  out["StreamSpecification"] = {{"StreamViewType", stream_view}};
  out["TimeToLiveSpecification"] = {{"AttributeName", expiry_attribute}, {"Enabled", true}};
  out["PointInTimeRecoverySpecification"] = {{"PointInTimeRecoveryEnabled", true}};
  return out;
}

// Adds the sections of `part` to those of `whole`.
void merge(json::object& whole, const json::object& part) {
  for (const auto& [section, members] : part) {
    auto& into = whole[section].as_object();
    for (const auto& each : members.as_object()) into.insert(each);
  }
}

}  // namespace

std::string cloudformation(const std::string& name, const TableOptions& options) {
  json::array conditions;
  for (auto units : {"ReadUnits", "WriteUnits"})
    conditions.push_back(json::object{{"Fn::Equals", json::array{reference(units), "0"}}});
  json::object table{{"Type", "AWS::DynamoDB::Table"},
                     {"DeletionPolicy", "Retain"},
                     {"UpdateReplacePolicy", "Retain"},
                     {"Properties", properties()}};
  json::object stream{{"Description", "The ARN of the table's stream"},
                      {"Value", {{"Fn::GetAtt", json::array{"Table", "StreamArn"}}}}};
  json::object whole{{"AWSTemplateFormatVersion", "2010-09-09"},
                     {"Description",
                      "A Quire store: the table of comments and their statistics, and the function "
                      "that keeps page numbers and statistics in step with it"},
                     {"Parameters", parameters(name, options)},
                     {"Conditions", {{"OnDemand", {{"Fn::And", std::move(conditions)}}}}},
                     {"Resources", {{"Table", std::move(table)}}},
                     {"Outputs", {{"StreamArn", std::move(stream)}}}};
  merge(whole, json::parse(function_template).as_object());
  return pretty(whole);
}

}  // namespace quire::dynamodb
