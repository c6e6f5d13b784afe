#include "store/dynamodb/adopted/mapping/values.h"

#include <boost/json.hpp>

namespace quire::adopted {
namespace {

namespace json = boost::json;
using dynamodb::Attribute;
using dynamodb::Type;

constexpr std::size_t max_values = 100;  // of one attribute, when all are asked for

// A value as the service writes it, {"S":"Fits"}, of JSON. Null: no attribute has it.
json::value typed(const json::value& plain) {
  if (plain.is_string()) return {{"S", plain}};
  if (plain.is_number()) return {{"N", json::serialize(plain)}};
  if (plain.is_bool()) return {{"BOOL", plain}};
  const auto* array = plain.if_array();
  if (!array) return nullptr;
  json::array list;
  for (const auto& each : *array) list.push_back(typed(each));
  return {{"L", std::move(list)}};
}

// The members of a map, or of a text that is an object of JSON, each as the service writes it.
std::optional<json::object> members_of(const json::value& value) {
  const auto* object = value.if_object();
  if (!object || object->size() != 1) return {};
  const auto& [type, content] = *object->begin();
  if (type == "M" && content.is_object()) return content.get_object();
  const auto* text = type == "S" ? content.if_string() : nullptr;
  auto plain = text && text->starts_with("{") ? dynamodb::parse_object(*text) : std::nullopt;
  if (!plain) return {};
  json::object out;
  for (const auto& [name, each] : *plain) {
    // An object is read like a text of JSON.
    out[name] = each.is_object() ? typed(json::value(json::serialize(each))) : typed(each);
  }
  return out;
}

json::value value_of(const Attribute& attribute) {
  if (attribute.type == Type::string) return {{"S", attribute.text}};
  if (attribute.type == Type::number) return {{"N", attribute.text}};
  auto object = dynamodb::parse_object(attribute.text);
  return object ? json::value(std::move(*object)) : json::value();
}

std::optional<Attribute> attribute_of(const json::value& value) {
  const auto* object = value.if_object();
  if (!object || object->size() != 1) return {};
  const auto& [type, content] = *object->begin();
  const auto* text = content.if_string();
  if (type == "S" && text) return Attribute{Type::string, std::string(*text)};
  if (type == "N" && text) return Attribute{Type::number, std::string(*text)};
  if (type == "NULL") return {};
  return Attribute{Type::other, json::serialize(value)};
}

std::optional<Attribute> find(const std::optional<json::object>& members, std::string_view path) {
  if (!members) return {};
  if (const auto* whole = members->if_contains(path)) return attribute_of(*whole);
  for (auto dot = path.find('.'); dot != path.npos; dot = path.find('.', dot + 1)) {
    const auto* member = members->if_contains(path.substr(0, dot));
    if (member) return find(members_of(*member), path.substr(dot + 1));
  }
  return {};
}

void add_all(const std::string& path, const json::value& value,
             std::map<std::string, Attribute>& out) {
  auto members = members_of(value);
  if (!members) {
    auto attribute = attribute_of(value);
    if (attribute && out.size() < max_values) out.emplace(path, std::move(*attribute));
    return;
  }
  for (const auto& [name, each] : *members) add_all(path + "." + std::string(name), each, out);
}

}  // namespace

std::string_view root_of(std::string_view path) {
  return path.substr(0, path.find('.'));
}

const Attribute* Values::at(const std::string& path) {
  auto whole = item_.find(path);
  if (whole != item_.end()) return &whole->second;
  auto root = item_.find(root_of(path));
  if (root == item_.end() || path.size() == root->first.size()) return nullptr;
  auto [members, first] = members_.try_emplace(root->first);
  if (first) members->second = members_of(value_of(root->second));
  auto [value, fresh] = within_.try_emplace(path);
  if (fresh)
    value->second = find(members->second, std::string_view(path).substr(root->first.size() + 1));
  return value->second ? &*value->second : nullptr;
}

std::map<std::string, Attribute> values_within(const std::string& name,
                                               const Attribute& attribute) {
  std::map<std::string, Attribute> out;
  auto value = value_of(attribute);
  if (members_of(value)) add_all(name, value, out);
  return out;
}

}  // namespace quire::adopted
