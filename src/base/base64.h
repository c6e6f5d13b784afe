// base64url without padding (RFC 4648, section 5). Decoding refuses unused bits that are not zero,
// so each value has exactly one text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quire {

std::string base64url_encode(std::span<const std::uint8_t> bytes);
std::optional<std::vector<std::uint8_t>> base64url_decode(std::string_view text);

}  // namespace quire
