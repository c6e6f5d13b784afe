#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace quire {

std::uint64_t long_hash(std::string_view bytes) {
#ifdef QUIRE_WIDE_HASH
  if (__builtin_cpu_supports("avx2")) return wide_hash(bytes.data(), bytes.size());
#endif
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace quire
