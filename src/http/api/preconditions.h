// The states that a change is meant for (RFC 9110, 13.1.1).
#pragma once

#include <boost/beast/http/fields.hpp>
#include <string>
#include <vector>

#include "quire/result.h"

namespace quire::http {

// The tags of all lines of If-Match, with their quotes, weak ones with their W/. None: there is no
// such line, or any state will do. invalid_parameter: it is no list of tags.
Result<std::vector<std::string>> if_match(const boost::beast::http::fields& headers);

}  // namespace quire::http
