// The keys of the index. Numbers are big-endian, so keys sort as their parts do.
// Format: docs/formats/bitmap-index.md
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "bitmap_index/databases.h"
#include "lmdb/numbers.h"

namespace quire::bitmap_index {

// A key without an allocation.
template <std::size_t Size>
struct Key {
  static constexpr std::size_t size = Size;
  std::array<char, Size> bytes;
  operator std::string_view() const { return {bytes.data(), Size}; }
};

inline Key<4> ids_key(Product product) {
  Key<4> key;
  lmdb::put_u32(key.bytes.data(), product);
  return key;
}

// Of a facet in one block of a product.
inline Key<22> block_key(Product product, FacetNumber facet, const Ulid& start) {
  Key<22> key;
  lmdb::put_u32(key.bytes.data(), product);
  lmdb::put_u16(key.bytes.data() + 4, facet);
  std::copy(start.bytes.begin(), start.bytes.end(), key.bytes.begin() + 6);
  return key;
}

// Of a code in one group of a level.
inline Key<31> count_key(Product product, FacetNumber facet, Code code, int level,
                         const Ulid& start) {
  Key<31> key;
  lmdb::put_u32(key.bytes.data(), product);
  lmdb::put_u16(key.bytes.data() + 4, facet);
  lmdb::put_u64(key.bytes.data() + 6, code);
  key.bytes[14] = static_cast<char>(level);
  std::copy(start.bytes.begin(), start.bytes.end(), key.bytes.begin() + 15);
  return key;
}

inline Key<10> text_key(FacetNumber facet, Code code) {
  Key<10> key;
  lmdb::put_u16(key.bytes.data(), facet);
  lmdb::put_u64(key.bytes.data() + 2, code);
  return key;
}

// How much of a block's or count's key is the same within a product, a facet, a code, a level.
inline constexpr std::size_t product_prefix = 4, facet_prefix = 6, code_prefix = 14,
                             level_prefix = 15;

// Whether two keys of one database are the same up to their ids. A key that is not whole is not.
inline bool same_level(std::string_view count_key, std::string_view other) {
  return count_key.size() == other.size() &&
         count_key.substr(0, level_prefix) == other.substr(0, level_prefix);
}
inline bool same_facet(std::string_view block_key, std::string_view other) {
  return block_key.size() == other.size() &&
         block_key.substr(0, facet_prefix) == other.substr(0, facet_prefix);
}
inline bool same_product(std::string_view key, std::string_view other) {
  return key.size() == other.size() &&
         key.substr(0, product_prefix) == other.substr(0, product_prefix);
}

// The id that a key of a block or a count ends with. The key has the right size.
inline Ulid start_of(std::string_view key) {
  Ulid start;
  std::copy(key.end() - Ulid::size, key.end(), start.bytes.begin());
  return start;
}
inline FacetNumber facet_of(std::string_view key) {
  return lmdb::get_u16(key.data() + 4);
}
inline Code code_of(std::string_view count_key) {
  return lmdb::get_u64(count_key.data() + 6);
}
inline int level_in(std::string_view count_key) {
  return static_cast<unsigned char>(count_key[14]);
}

}  // namespace quire::bitmap_index
