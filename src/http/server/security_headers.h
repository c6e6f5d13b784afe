// What every answer tells browsers about itself.
#pragma once

#include <string_view>

namespace quire::http {

// Header lines, each with its end: nothing may be guessed, framed or run but what a page of ours
// needs. Static text.
std::string_view security_headers(std::string_view type);

}  // namespace quire::http
