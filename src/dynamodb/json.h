// Safe access to the members of the service's answers, which may be of any type.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse_options.hpp>
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

}  // namespace quire::dynamodb
