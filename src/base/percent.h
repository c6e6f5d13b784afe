// RFC 3986 percent-encoding: unreserved characters stay, every other byte becomes %XX in upper-case
// hex.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quire {

std::string percent_encode(std::string_view bytes);
// Nothing if `text` is no encoding of any bytes.
std::optional<std::string> percent_decode(std::string_view text);

}  // namespace quire
