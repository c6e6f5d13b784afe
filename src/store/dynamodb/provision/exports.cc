#include "store/dynamodb/provision/exports.h"

#include <boost/json.hpp>

#include "store/dynamodb/items/layout.h"

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

// Items as the store writes them.
std::vector<Item> examples() {
  Comment comment{.id = *Ulid::parse("01JD5ZK3V8Q6W3N0A9B7C5D2EF"),
                  .product = "42",
                  .language = "en",
                  .rating = 5,
                  .author = "Ann",
                  .title = "Fits",
                  .text = "Warm and dry."};
  RatingCounts counts{0, 0, 0, 0, 1};
  FacetValue english = *list_facets[language_facet].parse("en");
  return {comment_item(comment), statistics_item("42", any, counts),
          *average_item("42", any, counts), statistics_item("42", english, counts)};
}

json::value attribute(std::string_view name, std::string_view type) {
  return {{"AttributeName", name}, {"AttributeType", type}};
}

json::value key(std::string_view partition, std::string_view sort) {
  return {{"PartitionKey", attribute(partition, "S")}, {"SortKey", attribute(sort, "S")}};
}

// Each attribute of the examples once. The keys of indexes are among them, as the tool expects.
json::array other_attributes(const std::vector<Item>& items) {
  Item all;
  for (const auto& item : items) all.insert(item.begin(), item.end());
  json::array out;
  for (const auto& [name, value] : all) {
    if (name != "PK" && name != "SK")
      out.push_back(attribute(name, value.type == Type::number ? "N" : "S"));
  }
  return out;
}

json::array workbench_indexes() {
  json::array projected(projected_attributes.begin(), projected_attributes.end());
  json::array out;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    out.push_back(
        {{"IndexName", indexes[i].name},
         {"KeyAttributes", key(partition_attributes[i], sort_attribute)},
         {"Projection", {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", projected}}}});
  }
  return out;
}

void write(std::string& out, const json::value& value, const std::string& margin);

// One member or element per line.
void write_parts(std::string& out, const json::object& object, const std::string& margin) {
  for (const auto& each : object) {
    out += (&each == object.begin() ? "\n" : ",\n") + margin;
    out += json::serialize(each.key()) + ": ";
    write(out, each.value(), margin);
  }
}

void write_parts(std::string& out, const json::array& array, const std::string& margin) {
  for (const auto& each : array) {
    out += (&each == array.begin() ? "\n" : ",\n") + margin;
    write(out, each, margin);
  }
}

// A value that fits into a line stays in one.
void write(std::string& out, const json::value& value, const std::string& margin) {
  auto line = json::serialize(value);
  bool fits = margin.size() + line.size() <= 80;
  if (auto* object = value.if_object(); object && !fits) {
    out += "{";
    write_parts(out, *object, margin + "  ");
    out += "\n" + margin + "}";
  } else if (auto* array = value.if_array(); array && !fits) {
    out += "[";
    write_parts(out, *array, margin + "  ");
    out += "\n" + margin + "]";
  } else {
    out += line;
  }
}

// One member or element a line, where a value does not fit into one. Ends with a line break.
std::string pretty(const json::value& value) {
  std::string out;
  write(out, value, "");
  return out + "\n";
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

std::string nosql_workbench(const std::string& name) {
  auto items = examples();
  json::array rows;
  for (const auto& item : items) rows.push_back(encode(item));
  json::object table{{"TableName", name},
                     {"KeyAttributes", key("PK", "SK")},
                     {"NonKeyAttributes", other_attributes(items)},
                     {"TableFacets", json::array()},
                     {"GlobalSecondaryIndexes", workbench_indexes()},
                     {"TableData", std::move(rows)},
                     {"DataAccess", {{"MySql", json::object()}}},
                     {"BillingMode", "PAY_PER_REQUEST"}};
  // The dates are those of the first example, so that the same table always gives the same text.
  json::object metadata{{"Author", "Quire"},
                        {"DateCreated", "Nov 20, 2024, 12:01 PM"},
                        {"DateLastModified", "Nov 20, 2024, 12:01 PM"},
                        {"Description", "Product comments and their statistics"},
                        {"AWSService", "Amazon DynamoDB"},
                        {"Version", "3.0"}};
  return pretty({{"ModelName", name},
                 {"ModelMetadata", std::move(metadata)},
                 {"DataModel", json::array{std::move(table)}}});
}

}  // namespace quire::dynamodb
