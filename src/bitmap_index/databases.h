// The bitmap index: per product the ids in order, and for each value of a facet the set of ids that
// have it, as bitmaps over runs of ids ("blocks"). It lies in databases of an LMDB environment that
// its owner opens: the embedded store, or the page index "lmdb:".
// Format: docs/formats/bitmap-index.md
//
// A hash of an id decides whether a block starts at it, so the same set of ids and values gives the
// same rows, whatever the order of writes. About one id of 2,048 starts a block. Above the blocks
// are levels: a group of level L starts where about one id of 2,048 × 32^L says so, and has for
// each value the number of its ids. The level above the last one that any id starts has one group,
// the whole product.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lmdb/environment.h"
#include "lmdb/numbers.h"
#include "quire/ulid.h"

namespace quire::bitmap_index {

using Product = std::uint32_t;      // the owner's number of a product
using FacetNumber = std::uint16_t;  // the owner's number of a facet
// A value of a facet. Of a flag 0 or 1. Of a number see numbers.h. Of a text its hash.
using Code = std::uint64_t;

inline bool contains(std::span<const FacetNumber> facets, FacetNumber facet) {
  return std::find(facets.begin(), facets.end(), facet) != facets.end();
}

// Stands for all ids of a product, with code 0. It has counts and no bitmaps.
inline constexpr FacetNumber every_id = 0xFFFF;

struct Databases {
  MDB_dbi ids = 0;      // product → ids, sorted duplicates of a fixed size
  lmdb::Sealed blocks;  // product, facet, start → the bitmaps of one block
  lmdb::Sealed counts;  // product, facet, code, level, start → a number of ids
  lmdb::Sealed texts;   // facet, code → the text of the value
  // Random, of the environment, so that nobody can choose ids or texts by their hashes.
  std::uint64_t hash_key = 0;
  // One id of 2^block_bits starts a block, one block of 2^group_bits a group of the next level.
  // Part of the format; only tests of small sets use smaller numbers.
  int block_bits = 11, group_bits = 5;
};

// The names under which an owner makes and opens them.
inline constexpr const char* ids_name = "index_ids";
inline constexpr const char* blocks_name = "index_blocks";
inline constexpr const char* counts_name = "index_counts";
inline constexpr const char* texts_name = "index_texts";

// Opens them. `flags`: MDB_CREATE makes missing ones.
Databases open_databases(MDB_txn* txn, unsigned flags, std::uint64_t hash_key);

// A random hash key, for a new environment.
std::uint64_t new_hash_key();
// The row `hash_key` of the owner's `meta`: the key, then block_bits.
std::string encode_hash_key(const Databases& databases);
// Takes both from the row. False: the row is damaged, and nothing is taken.
bool decode_hash_key(std::string_view row, Databases& databases);

// How many levels an id starts: 0 for most ids, 1 starts a block, 2 a group of level 1, and so on.
int level_of(const Databases& databases, const Ulid& id);
Code code_of_text(std::uint64_t hash_key, std::string_view text);

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

// The key of a facet in one block of a product.
inline Key<22> block_key(Product product, FacetNumber facet, const Ulid& start) {
  Key<22> key;
  lmdb::put_u32(key.bytes.data(), product);
  lmdb::put_u16(key.bytes.data() + 4, facet);
  std::copy(start.bytes.begin(), start.bytes.end(), key.bytes.begin() + 6);
  return key;
}

// The key of a code in one group of a level.
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
