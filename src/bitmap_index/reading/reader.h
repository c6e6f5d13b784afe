// Reads the index of one product as one transaction sees it: ids, blocks and counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bitmap_index/block_row.h"
#include "bitmap_index/databases.h"
#include "bitmap_index/reading/rows.h"
#include "word_index/databases.h"

namespace quire::bitmap_index {

class AskedWords;

// A block: its first id (all zeros: that of the first block) and the number of its ids.
struct Block {
  Ulid start;
  std::uint32_t ids;
};

// How much work an answer was.
struct Work {
  std::uint64_t blocks = 0;   // looked at
  std::uint64_t skipped = 0;  // known to have no match, and passed over
  bool kept = false;          // found from totals that were kept
};

struct ValueCount {
  Code code;
  std::uint64_t ids;
  friend bool operator==(const ValueCount&, const ValueCount&) = default;
};

// One task at a time. Throws lmdb::Damaged where rows contradict each other, lmdb::Failure.
class Reader {
 public:
  // All must outlive it. `words`: the index of words beside this one; null: there is none.
  Reader(const lmdb::Transaction& txn, const Databases& databases, Product product,
         const word_index::Databases* words = nullptr);

  std::uint64_t length() { return top().ids; }         // ids of the product
  std::uint64_t length(FacetNumber facet, Code code);  // ids with this value
  // The highest level that has counts; 0: all ids are in one block.
  int height() { return top().level; }
  // The n-th id with this value, oldest first, and how many ids with it are older than `id`.
  // every_id with code 0: of all ids. At a cost in the logarithm of the length.
  std::optional<Ulid> nth(FacetNumber facet, Code code, std::uint64_t n);
  std::uint64_t rank(FacetNumber facet, Code code, const Ulid& id);

  // The values of a facet that ids of the product have, by code: those from `low` to `high`, and at
  // most `limit` of them.
  std::vector<ValueCount> values(FacetNumber facet, Code low = 0, Code high = ~Code{0},
                                 std::size_t limit = ~std::size_t{0});
  std::optional<std::string> text(FacetNumber facet, Code code);

  // Blocks with ids, in order.
  std::vector<Block> blocks();
  // The block that an id is in, or would be in. It has no ids where no id is as old.
  Block block_of(const Ulid& id);
  // The block that starts there. It has no ids where none does.
  Block block(const Ulid& start);
  // The row of a facet in a block. Absent: no id of the block has a value.
  std::optional<BlockRow> row(FacetNumber facet, const Ulid& start);
  // The same with its seal, which is not checked.
  std::optional<std::string_view> sealed_row(FacetNumber facet, const Ulid& start);
  bool has(const Ulid& id);
  // Those that the request asks for, always the same ones. The index of words is ready.
  AskedWords& asked(const std::vector<std::string>& plain_words);

  Rows rows(FacetNumber facet) { return Rows::of_blocks(*txn_, db_, product_, facet); }
  Rows counts(FacetNumber facet, Code code, int level) {
    return Rows::of_counts(*txn_, db_, product_, facet, code, level);
  }

  const lmdb::Transaction& txn() const { return *txn_; }
  const Databases& databases() const { return db_; }
  Product product() const { return product_; }

 private:
  struct Top {
    int level;
    std::uint64_t ids;
  };
  const Top& top();

  const lmdb::Transaction* txn_;
  const Databases& db_;
  Product product_;
  const word_index::Databases* words_;
  std::shared_ptr<AskedWords> asked_;  // of a type that is not known here
  std::optional<Top> top_;
};

// The ids of a block, by position. Walks over the pages of ids. It only goes forward: positions
// must not descend from one call to the next. Throws as Reader.
class BlockIds {
 public:
  // `start` of a block that has ids.
  BlockIds(Reader& reader, const Ulid& start);

  Ulid at(std::size_t position);
  // How many of the first `ids` ids are below `id`.
  std::size_t lower_bound(const Ulid& id, std::size_t ids);

 private:
  void read_page();
  bool next_page();
  Ulid in_page(std::size_t index) const;

  lmdb::Cursor cursor_;
  std::string_view page_;   // the ids of a page, one after the other
  std::size_t before_ = 0;  // ids of the page that are before the block
  std::size_t passed_ = 0;  // ids of the block on earlier pages
};

class KeptTotals;

// The index of a product as one request sees it. The owner's transaction, databases and totals
// outlive it.
struct Source {
  std::unique_ptr<Reader> reader;  // null: the product has no comments
  std::uint64_t hash_key = 0;
  std::uint64_t generation = 0;  // of the product: see KeptTotals
  KeptTotals* kept = nullptr;    // null: no totals are kept
};

}  // namespace quire::bitmap_index
