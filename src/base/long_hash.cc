#include "base/long_hash.h"

// A compiler may only use vectors that every machine has, which takes eight times as long for a
// kilobyte. The library chooses when the program begins, where it is built so.
#ifdef QUIRE_XXHASH_DISPATCH
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

namespace quire {

std::uint64_t long_hash(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace quire
