// Origins, as browsers name the sites of pages (RFC 6454).
#pragma once

#include <string_view>

namespace quire::shop {

// Whether the text is an origin exactly as a browser sends it: "https://shop.example",
// "http://127.0.0.1:8080". Scheme and host, in small letters, and the port where it is another
// than the scheme's.
bool is_origin(std::string_view text);

}  // namespace quire::shop
