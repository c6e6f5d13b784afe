// Members of the service's answers, which may be anything until they have been looked at.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse_options.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace quire::dynamodb {

// How the service's JSON is read. An attribute may hold lists and maps 32 deep, each of them two
// levels of JSON; an answer or event has a few around it.
inline constexpr boost::json::parse_options parse_options{.max_depth = 96};

// Nothing if the text is no JSON, or no object.
std::optional<boost::json::object> parse_object(std::string_view text);

// Null if it is not there, or something else.
const boost::json::object* object_in(const boost::json::object& object, std::string_view name);
const boost::json::array* array_in(const boost::json::object& object, std::string_view name);
// Empty if it is not there, or something else.
std::string text_in(const boost::json::object& object, std::string_view name);

}  // namespace quire::dynamodb
