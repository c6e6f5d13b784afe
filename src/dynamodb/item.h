// Items, and their form in the service's JSON: {"PK":{"S":"COMMENT#…"},"rating":{"N":"5"}}.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse_options.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace quire::dynamodb {

// An attribute may hold lists and maps 32 deep, and each is two levels of JSON. An answer or event
// has a few levels around it.
inline constexpr boost::json::parse_options parse_options{.max_depth = 96};

// Nothing if the text is not a JSON object.
std::optional<boost::json::object> parse_object(std::string_view text);

// Null if the member is absent or of another type.
const boost::json::object* object_in(const boost::json::object& object, std::string_view name);
const boost::json::array* array_in(const boost::json::object& object, std::string_view name);
// Empty if the member is absent or of another type.
std::string text_in(const boost::json::object& object, std::string_view name);

// A value without the types of the service: {"M":{"votes":{"N":"8"}}} becomes {"votes":8}. A value
// of a type that no attribute has stays as it is.
boost::json::value plain(const boost::json::value& typed);

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
