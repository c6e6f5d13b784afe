#include "lmdb/sealed.h"

#include <cstring>

#include "lmdb/numbers.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#if defined(__x86_64__)
// The library's own, which takes the widest vectors that the processor has.
extern "C" XXH64_hash_t XXH3_64bits_dispatch(const void* input, std::size_t size);
#endif

namespace quire::lmdb {
namespace {

// The same number either way. Short values are hashed at once; longer ones pay for the call.
std::uint64_t hash(std::string_view value) {
#if defined(__x86_64__)
  constexpr std::size_t max_short = 240;
  if (value.size() > max_short) return XXH3_64bits_dispatch(value.data(), value.size());
#endif
  return XXH3_64bits(value.data(), value.size());
}

}  // namespace

std::uint64_t seal_seed(std::string_view database) {
  return XXH3_64bits(database.data(), database.size());
}

std::uint32_t checksum(std::uint64_t seed, std::string_view key, std::string_view value) {
  std::uint64_t whole = hash(value) ^ XXH3_64bits_withSeed(key.data(), key.size(), seed);
  return static_cast<std::uint32_t>(whole ^ whole >> 32);
}

void write_sealed(char* out, std::uint64_t seed, std::string_view key, std::string_view value) {
  std::memcpy(out, value.data(), value.size());
  put_u32(out + value.size(), checksum(seed, key, value));
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
