#include "dynamodb/calls.h"

#include <boost/json.hpp>

#include "base/clock.h"
#include "quire/ulid.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

Call call(std::string operation, const json::object& body, Repeat repeat) {
  return {std::move(operation), json::serialize(body), repeat};
}

// Puts an expression's text under `field`, and adds its names and values to the body's.
void add(json::object& body, std::string_view field, const Expression& expression) {
  body[field] = expression.text;
  for (const auto& [name, attribute] : expression.names) {
    auto& names = body["ExpressionAttributeNames"];
    if (!names.is_object()) names.emplace_object();
    names.get_object()[name] = attribute;
  }
  if (expression.values.empty()) return;
  auto& values = body["ExpressionAttributeValues"];
  if (!values.is_object()) values.emplace_object();
  for (auto& [name, value] : encode(expression.values)) values.get_object()[name] = value;
}

json::object write(const std::string& table, std::string_view field, const Item& item,
                   const std::optional<Expression>& condition) {
  json::object body{{"TableName", table}};
  body[field] = encode(item);
  if (condition) add(body, "ConditionExpression", *condition);
  return body;
}

json::object action(const std::string& table, const Action& action) {
  switch (action.kind) {
    case Action::Kind::put:
      return {{"Put", write(table, "Item", action.item, action.condition)}};
    case Action::Kind::remove:
      return {{"Delete", write(table, "Key", action.item, action.condition)}};
    case Action::Kind::update: {
      auto body = write(table, "Key", action.item, action.condition);
      if (action.change) add(body, "UpdateExpression", *action.change);
      return {{"Update", std::move(body)}};
    }
  }
  return {};
}

Expression key_condition(const QueryArguments& arguments) {
  Expression out{"#p = :p",
                 {{"#p", arguments.partition_name}},
                 {{":p", {arguments.partition_type, arguments.partition}}}};
  const auto &from = arguments.sort_from, &to = arguments.sort_to;
  if (!from && !to) return out;
  out.text += from && to ? " AND #s BETWEEN :a AND :b" : from ? " AND #s >= :a" : " AND #s <= :b";
  out.names.emplace("#s", arguments.sort_name);
  if (from) out.values.emplace(":a", *from);
  if (to) out.values.emplace(":b", *to);
  return out;
}

// Adds the items of an array. False: one of them is no item.
bool decode_all(const json::array& values, std::vector<Item>& out) {
  for (const auto& each : values) {
    auto item = decode_item(each);
    if (!item) return false;
    out.push_back(std::move(*item));
  }
  return true;
}

// Puts the item under `name`, if there is one, into `out`. False: it is no item.
bool decode_optional(const json::object& answer, std::string_view name, std::optional<Item>& out) {
  auto* value = answer.if_contains(name);
  if (!value || value->is_null()) return true;
  out = decode_item(*value);
  return out.has_value();
}

double units_in(const json::object& capacity) {
  auto* units = capacity.if_contains("CapacityUnits");
  boost::system::error_code no_number;
  double value = units ? units->to_number<double>(no_number) : 0;
  return no_number ? 0 : value;
}

}  // namespace

double consumed_units(const json::object& answer) {
  auto* capacity = object_in(answer, "ConsumedCapacity");
  return capacity ? units_in(*capacity) : 0;
}

Call query(const QueryArguments& arguments) {
  json::object body{{"TableName", arguments.table},
                    {"ScanIndexForward", arguments.forward},
                    {"ReturnConsumedCapacity", "TOTAL"}};
  add(body, "KeyConditionExpression", key_condition(arguments));
  if (!arguments.index.empty()) body["IndexName"] = arguments.index;
  if (arguments.start) body["ExclusiveStartKey"] = encode(*arguments.start);
  if (arguments.limit > 0) body["Limit"] = arguments.limit;
  if (arguments.consistent) body["ConsistentRead"] = true;
  if (arguments.count) body["Select"] = "COUNT";
  return call("Query", body, Repeat::safe);
}

Call scan(const std::string& table, const std::optional<Item>& start, std::size_t limit,
          Segment segment) {
  json::object body{{"TableName", table},
                    {"Limit", limit},
                    {"ConsistentRead", true},
                    {"ReturnConsumedCapacity", "TOTAL"}};
  if (start) body["ExclusiveStartKey"] = encode(*start);
  if (segment.of > 1) {
    body["Segment"] = segment.number;
    body["TotalSegments"] = segment.of;
  }
  return call("Scan", body, Repeat::safe);
}

Call get_item(const std::string& table, const Item& key) {
  json::object body{{"TableName", table},
                    {"Key", encode(key)},
                    {"ConsistentRead", true},
                    {"ReturnConsumedCapacity", "TOTAL"}};
  return call("GetItem", body, Repeat::safe);
}

Call batch_get(const std::string& table, const std::vector<Item>& keys) {
  json::array encoded;
  for (const auto& key : keys) encoded.push_back(encode(key));
  json::object body{
      {"RequestItems", json::object{{table, json::object{{"Keys", std::move(encoded)}}}}},
      {"ReturnConsumedCapacity", "TOTAL"}};
  return call("BatchGetItem", body, Repeat::safe);
}

Call put_item(const std::string& table, const Item& item,
              const std::optional<Expression>& condition, Repeat repeat) {
  return call("PutItem", write(table, "Item", item, condition), repeat);
}

Call delete_item(const std::string& table, const Item& key,
                 const std::optional<Expression>& condition, Repeat repeat) {
  return call("DeleteItem", write(table, "Key", key, condition), repeat);
}

Call update_item(const std::string& table, const Item& key, const Expression& change,
                 const Expression& condition, Repeat repeat) {
  auto body = write(table, "Key", key, condition);
  add(body, "UpdateExpression", change);
  return call("UpdateItem", body, repeat);
}

Call transact(const std::string& table, const std::vector<Action>& actions,
              const std::string& token) {
  json::array items;
  for (const auto& each : actions) items.push_back(action(table, each));
  json::object body{{"TransactItems", std::move(items)}, {"ClientRequestToken", token}};
  Call made = call("TransactWriteItems", body, Repeat::safe);
  made.slow = true;
  return made;
}

Call transact(const std::string& table, const std::vector<Action>& actions) {
  return transact(table, actions, Ulid::make(system_ms(), system_entropy()).text());
}

std::optional<PageAnswer> decode_page(std::string_view body) {
  auto answer = parse_object(body);
  auto* items = answer ? array_in(*answer, "Items") : nullptr;
  if (!items) return {};
  PageAnswer page;
  if (!decode_all(*items, page.items)) return {};
  if (!decode_optional(*answer, "LastEvaluatedKey", page.last)) return {};
  page.consumed = consumed_units(*answer);
  return page;
}

std::optional<CountAnswer> decode_count(std::string_view body) {
  auto answer = parse_object(body);
  auto* count = answer ? answer->if_contains("Count") : nullptr;
  if (!count || !count->is_int64() || count->get_int64() < 0) return {};
  CountAnswer out{static_cast<std::uint64_t>(count->get_int64()), {}};
  if (!decode_optional(*answer, "LastEvaluatedKey", out.last)) return {};
  out.consumed = consumed_units(*answer);
  return out;
}

std::optional<ItemAnswer> decode_get(std::string_view body) {
  auto answer = parse_object(body);
  ItemAnswer out;
  if (!answer || !decode_optional(*answer, "Item", out.item)) return {};
  out.consumed = consumed_units(*answer);
  return out;
}

std::optional<BatchAnswer> decode_batch(std::string_view body, const std::string& table) {
  auto answer = parse_object(body);
  auto* responses = answer ? object_in(*answer, "Responses") : nullptr;
  if (!responses) return {};
  BatchAnswer out;
  auto* items = array_in(*responses, table);
  if (items && !decode_all(*items, out.items)) return {};
  auto* undone = object_in(*answer, "UnprocessedKeys");
  auto* of_table = undone ? object_in(*undone, table) : nullptr;
  auto* keys = of_table ? array_in(*of_table, "Keys") : nullptr;
  if (keys && !decode_all(*keys, out.undone)) return {};
  if (auto* capacities = array_in(*answer, "ConsumedCapacity")) {
    for (const auto& each : *capacities)
      if (each.is_object()) out.consumed += units_in(each.get_object());
  }
  return out;
}

}  // namespace quire::dynamodb
