// Values of a record by their paths. Pure.
#pragma once

#include <boost/json/value.hpp>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "mapping/record.h"

namespace quire {

// Returns true when it needs no further value.
using EachValue = std::function<bool(const boost::json::value&)>;

// Calls `each` with the values at a path, in their order, until it returns true. Returns whether
// there was one. A value is valid during its call.
//
// "reviewer.name" is a member of a member; a member whose own name is the path, or the beginning of
// it, comes first. "helpful.0" is an element of an array; without a number, each element is looked
// into. "commentmeta[meta_key=rating].meta_value" looks only into elements with such a member. A
// text that is an object of JSON has members, too. The path of a value that the record lacks may
// begin at an element around it, innermost first. `Arrays::whole`: an array at the end of the path
// is one value.
enum class Arrays { each_element, whole };
bool each_at(const Record& record, std::string_view path, const EachValue& each,
             Arrays arrays = Arrays::each_element);

// Adds the names of the members of a record, or of the elements around it, at which a path may
// begin.
void add_first_names(std::string_view path, std::set<std::string, std::less<>>& names);

// The text of a value: of a number its digits, of a flag true or false, of an element with
// attributes its own text. Absent: it has none.
std::optional<std::string> text_of(const boost::json::value& value);

}  // namespace quire
