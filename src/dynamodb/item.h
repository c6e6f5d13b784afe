// Items, and their form in the service's JSON: {"PK":{"S":"COMMENT#…"},"rating":{"N":"5"}}.
#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <optional>
#include <string>

namespace quire::dynamodb {

enum class Type { string, number, other };

struct Attribute {
  Type type;
  std::string text;  // a number's digits; the JSON of a value of another type

  friend bool operator==(const Attribute&, const Attribute&) = default;
  friend auto operator<=>(const Attribute&, const Attribute&) = default;
};

inline Attribute string(std::string text) {
  return {Type::string, std::move(text)};
}
inline Attribute number(std::uint64_t value) {
  return {Type::number, std::to_string(value)};
}

using Item = std::map<std::string, Attribute, std::less<>>;

boost::json::object encode(const Item& item);
// Nothing if the value is no item.
std::optional<Item> decode_item(const boost::json::value& value);

// The text of a string attribute; nothing if the attribute is absent or of another type.
std::optional<std::string_view> text_of(const Item& item, std::string_view name);
// The value of a number; nothing if it is absent, negative or not whole.
std::optional<std::uint64_t> number_of(const Item& item, std::string_view name);

}  // namespace quire::dynamodb
