// Compares the index with the ids and values that it should have.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bitmap_index/databases.h"
#include "bitmap_index/edit.h"
#include "bitmap_index/level_counts.h"
#include "bitmap_index/row_builder.h"
#include "lmdb/environment.h"

namespace quire::bitmap_index {

struct Difference {
  Product product;
  std::string what;  // a sentence
};

// Its memory is that of one block and of one number for each value and level. Throws lmdb::Failure;
// what is damaged is a difference.
class Verification {
 public:
  static constexpr std::size_t max_differences = 100;

  // Rows of facets in `ignored` may be anything: those of facets that are dropped.
  Verification(const lmdb::Transaction& txn, const Databases& databases,
               std::span<const FacetNumber> ignored = {});

  // Verifies one product alone.
  Verification(const lmdb::Transaction& txn, const Databases& databases, Product product);

  // What the index should have. Products ascend, and the ids of a product ascend. `values` as in
  // Change.
  void expect(Product product, const Ulid& id, std::span<const Value> values);
  // Call it after the last id. The first differences, at most max_differences.
  std::vector<Difference> finish();
  std::uint64_t differences() const { return found_; }  // all of them

 private:
  struct Expected {
    FacetNumber facet;
    Code code;
    std::uint32_t position;  // in the block
    Value value;
  };
  struct Level {
    Ulid start;
    std::map<std::pair<FacetNumber, Code>, std::uint64_t> sums;
  };
  // Rows that are there, or should be.
  struct Rows {
    std::uint64_t blocks = 0, counts = 0;
  };

  void report(Product product, std::string what);
  void expect_id(Product product, const Ulid& id);
  void report_other_ids(Product product, const Ulid* before);
  void begin_product(Product product);
  void end_product();
  void check_gap(Product from, Product to);
  void check_gap(MDB_dbi database, std::size_t key, Product from, Product to);
  void end_block();
  void check_row(FacetNumber facet, std::span<const Add> adds);
  void end_group(std::size_t level);
  void check_count(FacetNumber facet, Code code, std::size_t level, const Ulid& start,
                   std::uint64_t ids);
  void check_text(const Value& value);
  void check_texts();
  std::uint64_t rows(MDB_dbi database, std::size_t key_size) const;

  const lmdb::Transaction& txn_;
  const Databases& db_;
  std::span<const FacetNumber> ignored_;
  lmdb::Cursor ids_;
  bool more_ids_;     // the cursor is at an id
  bool one_ = false;  // product is verified
  bool any_ = false;
  Product product_ = 0;
  int top_ = 0;  // the greatest level of an id so far
  Ulid block_;   // its start
  std::uint32_t block_ids_ = 0;
  std::vector<Expected> expected_;  // in the block
  std::vector<Level> levels_;       // groups at hand; [0] is unused
  Rows rows_;                       // of the product, that should be there
  RowBuilder builder_;
  std::vector<std::pair<FacetNumber, Code>> texts_;  // that were found right, by code
  std::vector<Difference> differences_;
  std::uint64_t found_ = 0;
};

}  // namespace quire::bitmap_index
