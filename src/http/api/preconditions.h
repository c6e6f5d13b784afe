// The header If-Match (RFC 9110, 13.1.1): the states of a comment that a change is meant for.
#pragma once

#include <boost/beast/http/fields.hpp>
#include <string>
#include <vector>

#include "quire/result.h"

namespace quire::http {

// The tags in all If-Match headers, with their quotes, and weak ones with W/. The tag of a
// compressed body is that of its content, because any representation of a comment names its state.
// Empty if there is no such header, or it allows any state. invalid_parameter: the header is no
// list of tags.
Result<std::vector<std::string>> if_match(const boost::beast::http::fields& headers);

}  // namespace quire::http
