// Groups changes into regions: neighbouring blocks that change together, and the blocks into which
// their ids fall then.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bitmap_index/databases.h"
#include "bitmap_index/edit.h"
#include "bitmap_index/row_builder.h"
#include "lmdb/environment.h"

namespace quire::bitmap_index {

// Reads the ids of a product, a page of the file at a time. The spans live until the next write of
// the transaction.
class IdPages {
 public:
  // `cursor` is one of Databases::ids, and is at the disposal of IdPages.
  IdPages(lmdb::Cursor& cursor, Product product) : cursor_(cursor), key_(ids_key(product)) {}

  // The ids from `id` on that lie in one page. Empty: there are none.
  std::span<const Ulid> from(const Ulid& id) {
    if (!cursor_.seek(key_, id.view(), MDB_GET_BOTH_RANGE)) return {};
    const char* first = cursor_.value().data();
    cursor_.move(MDB_GET_MULTIPLE);  // the page from its beginning
    auto page = cursor_.value();
    return ids({first, static_cast<std::size_t>(page.data() + page.size() - first)});
  }
  // Those of the page behind.
  std::span<const Ulid> next() {
    return cursor_.move(MDB_NEXT_MULTIPLE) ? ids(cursor_.value()) : std::span<const Ulid>();
  }

 private:
  static std::span<const Ulid> ids(std::string_view bytes) {
    static_assert(sizeof(Ulid) == Ulid::size && alignof(Ulid) == 1);
    return {reinterpret_cast<const Ulid*>(bytes.data()), bytes.size() / Ulid::size};
  }

  lmdb::Cursor& cursor_;
  Key<4> key_;
};

struct OldBlock {
  Ulid start;
  std::uint32_t ids;
};

struct NewBlock {
  Ulid start;
  std::uint32_t ids = 0;
  std::size_t runs_end = 0,
              placed_end = 0;  // in Region::runs and placed; each goes on from the last
};

// A changed id that is there afterwards.
struct Placed {
  const Change* change;
  std::uint32_t block, position;  // the new block
};

// A changed id that was there before.
struct Dropped {
  std::uint32_t block, position;  // the old block
};

// Neighbouring blocks. All but the first lose the id that they start with, so they become parts of
// the ones before.
struct Region {
  std::vector<OldBlock> before;
  std::vector<NewBlock> after;
  std::vector<Run> runs;
  std::vector<Placed> placed;
  std::vector<Dropped> dropped;
  std::vector<const Ulid*> inserted, erased;
  std::size_t newest = 0;  // how many of `inserted`, its last ones, are behind all ids there were

  bool same_ids() const { return inserted.empty() && erased.empty(); }
  void clear();
};

// The changes of a product with the level of each id.
struct Changes {
  std::span<const Change> all;
  std::vector<std::uint8_t> levels;
};

// Finds the regions of the changes of a product, one after the other. Between two calls the caller
// writes the region.
class Regions {
 public:
  Regions(const Databases& databases, Product product, const Changes& changes, lmdb::Cursor& counts,
          lmdb::Cursor& ids);

  // False: no changes are left. Throws lmdb::Damaged; std::length_error: a block has too many ids.
  bool next(Region& region);

 private:
  struct FoundBlock {
    OldBlock block;
    std::optional<Ulid> end;  // the start of the next block
  };
  // The block that has the ids from `id` on, or with `below` those right before it.
  FoundBlock block_at(const Ulid& id, bool below);
  bool erases(std::size_t change, const Ulid& start) const;
  std::optional<Ulid> last_id();
  void take_block(Region& region, const FoundBlock& found);
  void take_change(Region& region, const Change& change, int level, std::uint32_t rank, bool there);
  void take_run(Region& region, std::uint32_t end);

  const Databases& db_;
  Product product_;
  const Changes& changes_;
  lmdb::Cursor& counts_;
  lmdb::Cursor& ids_;
  std::size_t done_ = 0;     // changes
  std::uint32_t taken_ = 0;  // ids of the block at hand
};

}  // namespace quire::bitmap_index
