// The rows of a page index in LMDB beside those of its bitmap index.
// Format: docs/formats/pages-lmdb.md. Changing anything here is a new format version.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bitmap_index/databases.h"
#include "change/target.h"
#include "lmdb/environment.h"
#include "model/schema.h"

namespace quire::page_index {

// A row of `meta`; lives until the next write. Throws lmdb::Damaged: it is missing.
std::string_view meta_row(const lmdb::Transaction& txn, MDB_dbi meta, std::string_view key);

// The number of a product that is new. Throws lmdb::Damaged.
bitmap_index::Product next_product(lmdb::WriteTransaction& txn, MDB_dbi meta);

// The facets in the row `facets`. Throws lmdb::Damaged.
Schema schema_in(std::string_view row);

// The row of `meta` that is there if the index is to have words.
inline constexpr std::string_view words_row = "words";

inline constexpr std::uint32_t format_version = 2;
inline constexpr std::string_view format_magic = "quire-page-index";
std::string format_row();

// A product that has comments.
struct ProductRow {
  bitmap_index::Product number = 0;
  // LMDB's number of the transaction that changed the product last. Numbers of products come again
  // when the index is built anew; generations never do.
  std::uint64_t generation = 0;
  friend bool operator==(const ProductRow&, const ProductRow&) = default;
};

// A comment of a table that others made: where it is, and the primary key of its item. Its row lies
// under the last 80 bits of the id, which are a hash of the key.
struct ItemRow {
  std::uint64_t created_ms = 0;
  std::string product = {};
  std::string key = {};
  friend bool operator==(const ItemRow&, const ItemRow&) = default;
};
std::string_view item_place(const Ulid& id);  // a part of the id

// The functions that decode throw lmdb::Damaged when the bytes are damaged.
std::string encode_product(const ProductRow& row);
ProductRow decode_product(std::string_view bytes);

std::string encode_item(const ItemRow& row);
ItemRow decode_item(std::string_view bytes);

std::string encode_mark(const change::Mark& mark);
change::Mark decode_mark(std::string_view bytes);

std::string encode_phase(change::Phase phase);
change::Phase decode_phase(std::string_view bytes);

std::string encode_number(std::uint32_t number);
std::uint32_t decode_number(std::string_view bytes);
std::string encode_long(std::uint64_t number);

}  // namespace quire::page_index
