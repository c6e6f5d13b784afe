// Hashes: SHA-256 of the parts of a request, each with its length before it, and long values.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace quire {

// XXH3, 64 bits, without a seed. Leaves no wide register in use.
std::uint64_t long_hash(std::string_view bytes);

// The same; only for machines with AVX2.
std::uint64_t wide_hash(const char* bytes, std::size_t size);

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::span<const std::string_view> parts);
inline Digest sha256(std::initializer_list<std::string_view> parts) {
  return sha256(std::span(parts.begin(), parts.size()));
}
Digest hmac_sha256(std::string_view key, std::string_view text);
// The plain hash of the bytes, as `sha256sum` prints it.
std::string sha256_hex(std::string_view bytes);
// The plain SHA-1, which names files and scripts of others: nothing is kept secret by it.
std::string sha1_hex(std::string_view bytes);
// Compares in a time that depends on the lengths alone, so that it leaks no secret.
bool same_bytes(std::string_view a, std::string_view b);

}  // namespace quire
