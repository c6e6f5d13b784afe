// Percent-encoding of RFC 3986: keeps unreserved characters, and writes every other byte as %XX in
// upper-case hex.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quire {

std::string percent_encode(std::string_view bytes);
void append_percent_encoded(std::string& out, std::string_view bytes);
// Nothing: `text` is no valid encoding.
std::optional<std::string> percent_decode(std::string_view text);

}  // namespace quire
