// Numbers in keys and values. They are big-endian, so that keys sort as their numbers do.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace quire::lmdb {

// A number that lies unaligned, in the byte order of the machine: LMDB's own, and those in the rows
// of bitmaps.
template <class T>
T load(const char* at) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

inline void put_u16(char* out, std::uint16_t value) {
  out[0] = static_cast<char>(value >> 8);
  out[1] = static_cast<char>(value);
}

inline std::uint16_t get_u16(const char* in) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(in[0]) << 8 |
                                    static_cast<unsigned char>(in[1]));
}

inline void put_u32(char* out, std::uint32_t value) {
  for (int i = 3; i >= 0; --i, value >>= 8) out[i] = static_cast<char>(value);
}

inline std::uint32_t get_u32(const char* in) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(in[i]);
  return value;
}

inline void put_u64(char* out, std::uint64_t value) {
  put_u32(out, static_cast<std::uint32_t>(value >> 32));
  put_u32(out + 4, static_cast<std::uint32_t>(value));
}

inline std::uint64_t get_u64(const char* in) {
  return std::uint64_t{get_u32(in)} << 32 | get_u32(in + 4);
}

}  // namespace quire::lmdb
