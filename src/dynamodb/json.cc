#include "dynamodb/json.h"

#include <boost/json/parse.hpp>

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

}  // namespace quire::dynamodb
