// The headers that tell browsers what a response may do.
#pragma once

#include <string>

#include "http/message.h"

namespace quire::http {

// Appends header lines, each ending in CRLF. They forbid browsers to guess types, to frame but
// where the response says who may, and to load or run anything that the pages do not need.
void add_security_headers(std::string& head, const Response& response);

}  // namespace quire::http
