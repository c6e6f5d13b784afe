// JSON as people read it.
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace quire::dynamodb {

// One member or element a line, where a value does not fit into one. Ends with a line break.
std::string pretty(const boost::json::value& value);

}  // namespace quire::dynamodb
