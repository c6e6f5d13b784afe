// Keeps the counts of the levels above the blocks while blocks change. Where the groups of a level
// stay the same, it adds what changed; where groups come or go, it sums the level below.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bitmap_index/counts.h"
#include "bitmap_index/databases.h"
#include "lmdb/environment.h"

namespace quire::bitmap_index {

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
  bool ignores(FacetNumber facet) const;

  // Groups that come or go. They are in level_sums.cc.
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
