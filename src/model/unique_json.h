// Parses JSON in which no object has a name twice: one of the two values would be lost unseen. And
// brings the rows of other programs into the form in which Quire reads them.
#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <string_view>

#include "quire/result.h"

namespace quire {

// Of all objects of a text. Building an object with a hundred thousand names holds a thread.
inline constexpr std::size_t max_names = 10'000;

// Nested at most `max_depth` deep. invalid_comment: the text is not JSON, has more than `max_names`
// names, or an object has a name twice; the error then has a field of that name.
Result<boost::json::value> parse_unique(std::string_view text, std::size_t max_depth);

// For rows of an import alone. Members that are null are removed, and an empty language. A whole
// number in place of a text becomes its digits: 42 and 42.0 "42". Of a rating, a width and a height
// 5.0, "5" and "5.0" become 5. Times that parse_iso_time() reads become those of RFC 3339.
// Attributes keep their values. A value that has no such form stays as it is, and its reader
// refuses it.
void bring_into_form(boost::json::value& row);

}  // namespace quire
