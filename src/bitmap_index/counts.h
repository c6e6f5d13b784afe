// Rows of index_counts.
#pragma once

#include <optional>
#include <string_view>

#include "bitmap_index/block_row.h"
#include "bitmap_index/keys.h"
#include "lmdb/environment.h"

namespace quire::bitmap_index {

// The level of an id that is in the product. All zeros are where the first block starts anyway.
inline int start_level(const Databases& databases, const Ulid& id) {
  return id == Ulid{} ? 0 : level_of(databases, id);
}

// The number in the value of a row, which comes without its seal. Throws lmdb::Damaged.
inline std::uint64_t decode_count(std::optional<std::string_view> value) {
  auto count = value && value->size() == 8 ? lmdb::get_u64(value->data()) : ~std::uint64_t{0};
  if (count >> 62) throw lmdb::Damaged("a row of index_counts is damaged: run quire verify");
  return count;
}

// A count as the number of ids in a block. Throws lmdb::Damaged where no block has so many.
inline std::uint32_t checked_block_size(std::uint64_t count) {
  if (count == 0 || count > max_block)
    throw lmdb::Damaged("a row of index_counts names a block that cannot be: run quire verify");
  return static_cast<std::uint32_t>(count);
}

// The number in the row at which the cursor is. Throws lmdb::Damaged.
inline std::uint64_t count_at(const Databases& databases, const lmdb::Cursor& cursor) {
  return decode_count(lmdb::unsealed(databases.counts.seed, cursor.key(), cursor.value()));
}

// Puts a number, or removes the row of a number that is 0. `at_key`: the cursor is at this key.
void put_count(const Databases& databases, lmdb::Cursor& cursor, const Key<31>& key,
               std::uint64_t count, bool at_key);

}  // namespace quire::bitmap_index
