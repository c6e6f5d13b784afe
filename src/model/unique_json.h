// Parses JSON in which no object has a name twice: one of the two values would be lost unseen.
#pragma once

#include <boost/json/value.hpp>
#include <string_view>

#include "quire/result.h"

namespace quire {

// Nested at most `max_depth` deep. invalid_comment: the text is not JSON, or an object has a name
// twice; the error then has a field of that name.
Result<boost::json::value> parse_unique(std::string_view text, std::size_t max_depth);

}  // namespace quire
