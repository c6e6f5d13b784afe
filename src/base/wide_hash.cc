// This source alone is compiled for AVX2 (src/CMakeLists.txt). It emits no inline function of C++:
// the linker could take it for the whole program.
#include "base/hash.h"

#ifdef __AVX2__

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace quire {

std::uint64_t wide_hash(const char* bytes, std::size_t size) {
  auto hash = XXH3_64bits(bytes, size);
  _mm256_zeroupper();  // compilers add it only where they optimize
  return hash;
}

}  // namespace quire

#endif
