#include "store/dynamodb/provision/table.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <algorithm>

#include "dynamodb/item.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {

namespace {

namespace json = boost::json;

std::vector<Key> strings(std::string_view partition, std::string_view sort) {
  return {{std::string(partition), "S"}, {std::string(sort), "S"}};
}

// "PK (S), SK (S)"
std::string shown(const std::vector<Key>& keys) {
  std::string out;
  for (const auto& [name, type] : keys)
    out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", name, type);
  return out;
}

void compare(const IndexDescription& index, std::string_view partition,
             std::vector<std::string>& out) {
  auto keys = strings(partition, sort_attribute);
  if (index.keys != keys)
    out.push_back(fmt::format("The index {} has the key {}, not {}.", index.name, shown(index.keys),
                              shown(keys)));
  if (index.projection == "ALL") return;
  for (auto name : projected_attributes) {
    if (std::find(index.projected.begin(), index.projected.end(), name) == index.projected.end())
      out.push_back(fmt::format("The index {} does not hold {}.", index.name, name));
  }
}

json::array key_schema(std::string_view partition, std::string_view sort) {
  return {{{"AttributeName", partition}, {"KeyType", "HASH"}},
          {{"AttributeName", sort}, {"KeyType", "RANGE"}}};
}

json::array attribute_definitions() {
  json::array out;
  auto add = [&](std::string_view name) {
    out.push_back({{"AttributeName", name}, {"AttributeType", "S"}});
  };
  add("PK");
  add("SK");
  for (auto attribute : partition_attributes) add(attribute);
  add(sort_attribute);
  return out;
}

json::value throughput(const TableOptions& options) {
  if (options.read_units == 0 && options.write_units == 0) return nullptr;
  return {{"ReadCapacityUnits", options.read_units}, {"WriteCapacityUnits", options.write_units}};
}

// An empty object if the member is absent or of another type.
const json::object& object(const json::object& in, std::string_view name) {
  static const json::object none;
  auto* found = object_in(in, name);
  return found ? *found : none;
}

std::vector<const json::object*> objects(const json::object& in, std::string_view name) {
  std::vector<const json::object*> out;
  auto* found = array_in(in, name);
  if (!found) return out;
  for (const auto& each : *found) {
    if (each.is_object()) out.push_back(&each.get_object());
  }
  return out;
}

std::uint64_t number_in(const json::object& in, std::string_view name) {
  auto* value = in.if_contains(name);
  boost::system::error_code no_number;
  auto found = value ? value->to_number<std::uint64_t>(no_number) : 0;
  return no_number ? 0 : found;
}

// The keys of the table or of an index. Only the table's description has the attributes' types.
std::vector<Key> keys_of(const json::object& described, const json::object& table) {
  std::vector<Key> keys;
  for (auto* part : objects(described, "KeySchema")) {
    Key key{text_in(*part, "AttributeName"), {}};
    for (auto* attribute : objects(table, "AttributeDefinitions")) {
      if (text_in(*attribute, "AttributeName") == key.name)
        key.type = text_in(*attribute, "AttributeType");
    }
    keys.insert(text_in(*part, "KeyType") == "HASH" ? keys.begin() : keys.end(), std::move(key));
  }
  return keys;
}

IndexDescription index_of(const json::object& described, const json::object& table) {
  const auto& projection = object(described, "Projection");
  IndexDescription index{.name = text_in(described, "IndexName"),
                         .status = text_in(described, "IndexStatus"),
                         .keys = keys_of(described, table),
                         .projection = text_in(projection, "ProjectionType"),
                         .items = number_in(described, "ItemCount"),
                         .bytes = number_in(described, "IndexSizeBytes")};
  auto* names = projection.if_contains("NonKeyAttributes");
  if (!names || !names->is_array()) return index;
  for (const auto& name : names->get_array()) {
    if (name.is_string()) index.projected.emplace_back(name.get_string());
  }
  return index;
}

}  // namespace

std::vector<std::string> differences(const TableDescription& table) {
  std::vector<std::string> out;
  auto keys = strings("PK", "SK");
  if (table.keys != keys)
    out.push_back(fmt::format("Its key is {}, not {}.", shown(table.keys), shown(keys)));
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    auto index = std::find_if(table.indexes.begin(), table.indexes.end(),
                              [&](const auto& each) { return each.name == indexes[i].name; });
    if (index == table.indexes.end()) {
      out.push_back(fmt::format("The index {} is missing.", indexes[i].name));
    } else {
      compare(*index, partition_attributes[i], out);
    }
  }
  if (table.stream_view.empty()) {
    out.push_back(fmt::format("It has no stream; it needs one of {}.", stream_view));
  } else if (table.stream_view != stream_view) {
    out.push_back(fmt::format("Its stream is of {}, not {}.", table.stream_view, stream_view));
  }
  if (table.expiry && *table.expiry != expiry_attribute) {
    out.push_back(
        table.expiry->empty()
            ? fmt::format("Its items do not expire; they must expire by {}.", expiry_attribute)
            : fmt::format("Its items expire by {}, not {}.", *table.expiry, expiry_attribute));
  }
  return out;
}

json::object definition(const json::value& throughput) {
  json::array described;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    json::object index{{"IndexName", indexes[i].name},
                       {"KeySchema", key_schema(partition_attributes[i], sort_attribute)},
                       {"Projection",
                        {{"ProjectionType", "INCLUDE"},
                         {"NonKeyAttributes",
                          json::array(projected_attributes.begin(), projected_attributes.end())}}}};
    if (!throughput.is_null()) index["ProvisionedThroughput"] = throughput;
    described.push_back(std::move(index));
  }
  json::object out{{"AttributeDefinitions", attribute_definitions()},
                   {"KeySchema", key_schema("PK", "SK")},
                   {"GlobalSecondaryIndexes", std::move(described)}};
  if (!throughput.is_null()) out["ProvisionedThroughput"] = throughput;
  return out;
}

// The second of two identical requests is refused and changes nothing, so it is safe to repeat.
Call create_table(const std::string& name, const TableOptions& options) {
  auto units = throughput(options);
  auto body = definition(units);
  body["TableName"] = name;
  body["BillingMode"] = units.is_null() ? "PAY_PER_REQUEST" : "PROVISIONED";
  body["StreamSpecification"] = {{"StreamEnabled", true}, {"StreamViewType", stream_view}};
  return {"CreateTable", json::serialize(body), Repeat::safe};
}

Call describe_table(const std::string& name) {
  return {"DescribeTable", json::serialize(json::object{{"TableName", name}}), Repeat::safe};
}

Call describe_expiry(const std::string& name) {
  return {"DescribeTimeToLive", json::serialize(json::object{{"TableName", name}}), Repeat::safe};
}

Call enable_expiry(const std::string& name) {
  json::object body{
      {"TableName", name},
      {"TimeToLiveSpecification", {{"AttributeName", expiry_attribute}, {"Enabled", true}}}};
  return {"UpdateTimeToLive", json::serialize(body), Repeat::unsafe};
}

bool TableDescription::active() const {
  return status == "ACTIVE" && std::all_of(indexes.begin(), indexes.end(), [](const auto& index) {
           return index.status == "ACTIVE";
         });
}

std::optional<TableDescription> decode_table(std::string_view body) {
  auto answer = parse_object(body);
  if (!answer) return {};
  const auto& table = object(*answer, "Table");
  const auto& units = object(table, "ProvisionedThroughput");
  const auto& stream = object(table, "StreamSpecification");
  TableDescription out{
      .status = text_in(table, "TableStatus"),
      .keys = keys_of(table, table),
      .items = number_in(table, "ItemCount"),
      .bytes = number_in(table, "TableSizeBytes"),
      .on_demand = text_in(object(table, "BillingModeSummary"), "BillingMode") == "PAY_PER_REQUEST",
      .read_units = number_in(units, "ReadCapacityUnits"),
      .write_units = number_in(units, "WriteCapacityUnits"),
      .stream_view = text_in(stream, "StreamViewType")};
  if (const auto* created = table.if_contains("CreationDateTime"))
    out.created = boost::json::serialize(*created);
  if (out.status.empty() || out.keys.empty()) return {};
  // A stream that was switched off keeps its ARN.
  if (!out.stream_view.empty()) out.stream = text_in(table, "LatestStreamArn");
  for (auto* index : objects(table, "GlobalSecondaryIndexes"))
    out.indexes.push_back(index_of(*index, table));
  return out;
}

std::optional<std::string> decode_expiry(std::string_view body) {
  auto answer = parse_object(body);
  if (!answer) return {};
  const auto& expiry = object(*answer, "TimeToLiveDescription");
  auto status = text_in(expiry, "TimeToLiveStatus");
  if (status.empty()) return {};
  bool on = status == "ENABLED" || status == "ENABLING";
  return on ? text_in(expiry, "AttributeName") : std::string();
}

}  // namespace quire::dynamodb
