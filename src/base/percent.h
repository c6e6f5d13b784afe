// RFC 3986 percent-encoding: unreserved characters stay, every other byte becomes %XX in upper-case
// hex.
#pragma once

#include <string>
#include <string_view>

namespace quire {

std::string percent_encode(std::string_view bytes);

}  // namespace quire
