// Moves runs of bits. Bit i of word i / 64 is position i.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lmdb/numbers.h"

namespace quire::bitmap_index {

using lmdb::load;

// Copies `count` bits of `from`, from bit `first` on, to bit `at` of `to` and on, where all bits
// are 0. `from` need not be aligned; no byte behind the word of the last bit is read.
inline void copy_bits(std::uint64_t* to, std::size_t at, const char* from, std::size_t first,
                      std::size_t count) {
  if (at % 64 == 0 && first % 64 == 0) {  // whole words
    auto words = count / 64;
    std::memcpy(to + at / 64, from + first / 8, words * 8);
    at += words * 64;
    first += words * 64;
    count %= 64;
  }
  auto word = [&](std::size_t i) { return load<std::uint64_t>(from + i * 8); };
  while (count > 0) {
    std::size_t taken = std::min<std::size_t>(64 - at % 64, count), shift = first % 64;
    std::uint64_t bits = word(first / 64) >> shift;
    if (shift + taken > 64) bits |= word(first / 64 + 1) << (64 - shift);
    if (taken < 64) bits &= (std::uint64_t{1} << taken) - 1;
    to[at / 64] |= bits << at % 64;
    at += taken;
    first += taken;
    count -= taken;
  }
}

}  // namespace quire::bitmap_index
