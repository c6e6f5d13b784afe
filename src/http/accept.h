// What a client prefers, from the headers of its request (RFC 9110, 12.4.2 and 12.5.1).
#pragma once

#include <string_view>

namespace quire::http {

// The weight, 0 to 1000, that an Accept header gives a media type such as "text/html": that of the
// most specific range that names it. 0: the client does not want it. An empty header takes all.
int weight(std::string_view accept, std::string_view type);

// Whether a web page suits the client better than JSON, as it does browsers.
bool prefers_html(std::string_view accept);

}  // namespace quire::http
