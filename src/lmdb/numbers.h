// Numbers in keys and values, and the order of keys. Numbers are big-endian, so that keys sort as
// their numbers do.
#pragma once

#include <lmdb.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
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
  std::uint64_t value;
  std::memcpy(&value, in, sizeof value);
  return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
}

inline int order(std::string_view a, std::string_view b) {
  std::size_t size = std::min(a.size(), b.size());
  if (size < 8) {
    int difference = a.compare(b);
    return (difference > 0) - (difference < 0);
  }
  std::size_t last = size - 8;  // the last word may overlap the one before, whose bytes are equal
  for (std::size_t at = 0;; at = std::min(at + 8, last)) {
    auto left = get_u64(a.data() + at), right = get_u64(b.data() + at);
    if (left != right) return left < right ? -1 : 1;
    if (at == last) break;
  }
  return a.size() < b.size() ? -1 : a.size() > b.size();
}

// For mdb_set_compare and mdb_set_dupsort.
inline int order_of_keys(const MDB_val* a, const MDB_val* b) {
  return order({static_cast<const char*>(a->mv_data), a->mv_size},
               {static_cast<const char*>(b->mv_data), b->mv_size});
}

// Makes it the order of the keys of a database, and of several values under a key.
void set_orders(MDB_txn* txn, MDB_dbi dbi);

}  // namespace quire::lmdb
