// XXH3 of long values: with the widest vectors that the machine has.
#pragma once

#include <cstdint>
#include <string_view>

namespace quire {

// XXH3, 64 bits, without a seed.
std::uint64_t long_hash(std::string_view bytes);

}  // namespace quire
