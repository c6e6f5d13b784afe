// SHA-256 over parts, each preceded by its length, so that different parts never hash alike by
// being joined.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace quire {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::initializer_list<std::string_view> parts);
// Of the bytes alone, as `sha256sum` prints it.
std::string sha256_hex(std::string_view bytes);
// Compared in a time that depends on their lengths alone.
bool same_bytes(std::string_view a, std::string_view b);

}  // namespace quire
