#include "lmdb/sealed.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "lmdb/numbers.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace quire::lmdb {
namespace {

// Of short values the compiler's own code is as fast, and saves a call.
std::uint64_t hash(std::string_view value) {
  constexpr std::size_t max_short = 240;
  return value.size() <= max_short ? XXH3_64bits(value.data(), value.size()) : long_hash(value);
}

}  // namespace

std::uint64_t seal_seed(std::string_view database) {
  return XXH3_64bits(database.data(), database.size());
}

std::uint32_t checksum(std::uint64_t seed, std::string_view key, std::string_view value) {
  auto whole = hash(value) ^ XXH3_64bits_withSeed(key.data(), key.size(), seed);
  return static_cast<std::uint32_t>(whole ^ whole >> 32);
}

void write_seal(char* value, std::size_t size, std::uint64_t seed, std::string_view key) {
  put_u32(value + size, checksum(seed, key, {value, size}));
}

void write_sealed(char* out, std::uint64_t seed, std::string_view key, std::string_view value) {
  // An empty value may be null, which memcpy() does not take.
  std::copy(value.begin(), value.end(), out);
  write_seal(out, value.size(), seed, key);
}

std::string sealed(std::uint64_t seed, std::string_view key, std::string_view value) {
  std::string out(value.size() + seal_size, '\0');
  write_sealed(out.data(), seed, key, value);
  return out;
}

std::optional<std::string_view> unsealed(std::uint64_t seed, std::string_view key,
                                         std::string_view bytes) {
  if (bytes.size() < seal_size) return {};
  auto value = bytes.substr(0, bytes.size() - seal_size);
  if (get_u32(bytes.data() + value.size()) != checksum(seed, key, value)) return {};
  return value;
}

}  // namespace quire::lmdb
