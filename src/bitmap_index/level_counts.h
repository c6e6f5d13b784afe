// Keeps the counts of the levels above the blocks while blocks change. Where the groups of a level
// stay the same, it adds what changed; where groups come or go, it sums the level below.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bitmap_index/block_row.h"
#include "bitmap_index/databases.h"
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

// An id that comes or goes, and starts a block.
struct Moved {
  Ulid id;
  int level;  // 1 or more
  bool comes;
};

// Call enter() and add() for one region after the other, and finish() when all blocks are written.
// All throw lmdb::Damaged.
class LevelCounts {
 public:
  // `moved` is sorted by id. Rows of facets in `ignored` are left alone.
  LevelCounts(const Databases& databases, lmdb::WriteTransaction& txn, lmdb::Cursor& counts,
              Product product, std::span<const FacetNumber> ignored, std::vector<Moved> moved);

  // What add() says from now on is of ids in the block that started here before the changes.
  void enter(const Ulid& start);
  void add(FacetNumber facet, Code code, std::int64_t ids);
  void finish();

 private:
  // The ids from `start` to below `end`. No end: to the end of the product.
  struct Group {
    Ulid start;
    std::optional<Ulid> end;
    bool has(const Ulid& id) const { return !(id < start) && (!end || id < *end); }
  };
  struct Value {
    FacetNumber facet;
    Code code;
    auto operator<=>(const Value&) const = default;
  };
  struct Grown {
    Value value;
    std::int64_t ids;
  };
  // A level below the old top, and what its group at hand grew by.
  struct Level {
    std::optional<Group> group;
    bool moves = false;  // the group, or its end, comes or goes
    std::vector<Grown> grown;
  };

  int old_top();
  Group old_group(int level, const Ulid& id);
  void write(int level);
  void write_all();
  static void combine(std::vector<Grown>& grown);
  void change(const Value& value, int level, const Ulid& start, std::int64_t ids);

  // Groups that come or go.
  int new_top();
  bool keeps_start(int level);
  void settle(int level);
  std::vector<Ulid> new_starts(int level);
  std::vector<Ulid> changed_starts(int level);
  std::optional<Ulid> next_start(int level, const Ulid& after);
  Ulid last_start(int level, const Ulid& before);
  void sum_first(const std::vector<Group>& groups);
  std::vector<Grown> sum_blocks(const Group& group);
  void sum_block(std::string_view key, std::string_view row, std::vector<Grown>& sums) const;
  std::uint64_t sum_rows(const Value& value, int level, const Group& group);
  void put(const Value& value, int level, const Group& group, std::uint64_t ids);
  std::vector<Value> values();
  void remove(int level);

  const Databases& db_;
  lmdb::WriteTransaction& txn_;
  lmdb::Cursor& cursor_;
  Product product_;
  std::span<const FacetNumber> ignored_;
  std::vector<Moved> moved_;
  int top_;                     // before the changes
  std::vector<Level> levels_;   // up to one above it; [0] is unused
  std::vector<Value> changed_;  // values whose counts changed
};

}  // namespace quire::bitmap_index
