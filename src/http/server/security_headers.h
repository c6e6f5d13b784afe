// The headers that tell browsers what a response may do.
#pragma once

#include <string_view>

namespace quire::http {

// Header lines, each ending in CRLF, for a response of this media type. They forbid browsers to
// guess types, to frame, and to load or run anything that the pages do not need. Static text.
std::string_view security_headers(std::string_view type);

}  // namespace quire::http
