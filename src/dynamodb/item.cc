#include "dynamodb/item.h"

#include <boost/json.hpp>
#include <boost/json/parse.hpp>

#include "base/text.h"

namespace quire::dynamodb {

namespace json = boost::json;

std::optional<json::object> parse_object(std::string_view text) {
  boost::system::error_code no_json;
  auto parsed = json::parse(text, no_json, {}, parse_options);
  if (no_json || !parsed.is_object()) return {};
  return std::move(parsed.get_object());
}

const json::object* object_in(const json::object& object, std::string_view name) {
  auto* value = object.if_contains(name);
  return value ? value->if_object() : nullptr;
}

const json::array* array_in(const json::object& object, std::string_view name) {
  auto* value = object.if_contains(name);
  return value ? value->if_array() : nullptr;
}

std::string text_in(const json::object& object, std::string_view name) {
  auto* value = object.if_contains(name);
  auto* text = value ? value->if_string() : nullptr;
  return text ? std::string(*text) : std::string();
}

namespace {

// The digits themselves where a double would lose some.
json::value number_of(std::string_view digits) {
  constexpr std::size_t exact_digits = 15;
  boost::system::error_code no_number;
  auto number = json::parse(digits, no_number);
  if (no_number) return nullptr;
  if (number.is_double() && digits.size() > exact_digits) return json::value(digits);
  return number;
}

}  // namespace

json::value plain(const json::value& typed) {
  const auto* object = typed.if_object();
  if (!object || object->size() != 1) return typed;
  const auto& [type, value] = *object->begin();
  if (type == "S" || type == "BOOL" || type == "SS") return value;
  if (type == "N" && value.is_string()) return number_of(value.get_string());
  if (type == "L" && value.is_array()) {
    json::array array;
    for (const auto& each : value.get_array()) array.push_back(plain(each));
    return array;
  }
  if (type == "NS" && value.is_array()) {
    json::array numbers;
    for (const auto& each : value.get_array())
      if (each.is_string()) numbers.push_back(number_of(each.get_string()));
    return numbers;
  }
  if (type == "NULL") return nullptr;
  if (type != "M" || !value.is_object()) return typed;
  json::object map;
  for (const auto& [name, each] : value.get_object()) map[name] = plain(each);
  return map;
}

namespace {

json::value encode(const Attribute& attribute) {
  switch (attribute.type) {
    case Type::string:
      return {{"S", attribute.text}};
    case Type::number:
      return {{"N", attribute.text}};
    case Type::other:
      return json::parse(attribute.text, {}, parse_options);
  }
  return nullptr;
}

// An attribute is an object of one member; the member's name is the type.
std::optional<Attribute> decode(const json::value& value) {
  if (!value.is_object() || value.get_object().size() != 1) return {};
  const auto& [type, content] = *value.get_object().begin();
  if (type != "S" && type != "N") return Attribute{Type::other, json::serialize(value)};
  if (!content.is_string()) return {};
  return Attribute{type == "S" ? Type::string : Type::number, std::string(content.get_string())};
}

}  // namespace

json::object encode(const Item& item) {
  json::object out;
  for (const auto& [name, attribute] : item) out[name] = encode(attribute);
  return out;
}

std::optional<Item> decode_item(const json::value& value) {
  if (!value.is_object()) return {};
  Item item;
  for (const auto& [name, content] : value.get_object()) {
    auto attribute = decode(content);
    if (!attribute) return {};
    item.emplace(name, std::move(*attribute));
  }
  return item;
}

std::optional<std::string_view> text_of(const Item& item, std::string_view name) {
  auto at = item.find(name);
  if (at == item.end() || at->second.type != Type::string) return {};
  return at->second.text;
}

std::optional<std::uint64_t> number_of(const Item& item, std::string_view name) {
  auto at = item.find(name);
  if (at == item.end() || at->second.type != Type::number) return {};
  return parse_integer<std::uint64_t>(at->second.text);
}

}  // namespace quire::dynamodb
