// XXH3 of long values: with vectors of 256 bits, where the machine has them (docs/adr/0060).
#pragma once

#include <cstdint>
#include <string_view>

namespace quire {

// XXH3, 64 bits, without a seed. Leaves no wide register in use.
std::uint64_t long_hash(std::string_view bytes);

// The same; only for machines with AVX2.
std::uint64_t wide_hash(const char* bytes, std::size_t size);

}  // namespace quire
