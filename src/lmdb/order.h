// The order of keys: as memcmp, then the shorter key first. LMDB's own order is the same, but
// comparing keys is most of a look-up, and a call of memcmp costs more than comparing whole words.
#pragma once

#include <lmdb.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace quire::lmdb {

inline std::uint64_t word(const char* bytes) {
  std::uint64_t value;
  std::memcpy(&value, bytes, sizeof value);
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
    auto left = word(a.data() + at), right = word(b.data() + at);
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
