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

#include <cstdint>
#include <string>
#include <string_view>

#include "lmdb/environment.h"
#include "quire/ulid.h"

namespace quire::bitmap_index {

using Product = std::uint32_t;      // the owner's number of a product
using FacetNumber = std::uint16_t;  // the owner's number of a facet
// A value of a facet. Of a flag 0 or 1. Of a number see numbers.h. Of a text its hash.
using Code = std::uint64_t;

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

// The row `hash_key` of the owner's `meta`: the key, then block_bits.
std::string encode_hash_key(const Databases& databases);
// Takes both from the row. False: the row is damaged, and nothing is taken.
bool decode_hash_key(std::string_view row, Databases& databases);

// How many levels an id starts: 0 for most ids, 1 starts a block, 2 a group of level 1, and so on.
int level_of(const Databases& databases, const Ulid& id);
Code code_of_text(std::uint64_t hash_key, std::string_view text);

}  // namespace quire::bitmap_index
