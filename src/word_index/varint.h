// Numbers in as few bytes as they need: 7 bits a byte, the lowest first; all but the last byte have
// the highest bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lmdb/sealed.h"

namespace quire::word_index {

[[noreturn]] inline void damaged() {
  throw lmdb::Damaged("a row of words is not whole");
}

inline std::size_t varint_size(std::uint64_t value) {
  std::size_t size = 1;
  while (value >>= 7) ++size;
  return size;
}

inline void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

// Takes a number of at most 32 bits off the front. Throws lmdb::Damaged.
inline std::uint32_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 35 && !bytes.empty(); shift += 7) {
    auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte & 0x80) continue;
    if (value > UINT32_MAX) break;
    return static_cast<std::uint32_t>(value);
  }
  damaged();
}

}  // namespace quire::word_index
