// Changes the index within one write transaction.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bitmap_index/databases.h"
#include "lmdb/environment.h"

namespace quire::bitmap_index {

// A value of a facet that an id has.
struct Value {
  FacetNumber facet;
  Code code;
  std::uint64_t rest = 0;      // of a number
  bool number = false;         // whether the facet is a number
  std::string_view text = {};  // of a choice or tag, to be kept under its code; lives until apply()

  friend bool operator==(const Value&, const Value&) = default;
};

// What an id has after a change.
struct Change {
  Ulid id;
  // Sorted by facet, then code; each once. Absent: the id is not in the index.
  std::optional<std::vector<Value>> values;
  // A promise: an id that is in the index has the same values as before in all other facets, whose
  // rows then need not be read. Empty: any may differ. Lives until apply().
  std::span<const FacetNumber> differs = {};
};

// Throws lmdb::Damaged and lmdb::Failure, std::length_error where a block would have more than
// max_block ids, and std::invalid_argument where changes are not sorted; then the caller must abort
// the transaction.
class IndexEdit {
 public:
  // Rows of facets in `ignored` are neither read nor changed: those of facets that are dropped.
  // `ignored` outlives the edit.
  IndexEdit(const Databases& databases, lmdb::WriteTransaction& txn,
            std::span<const FacetNumber> ignored = {});
  ~IndexEdit();
  IndexEdit(const IndexEdit&) = delete;
  IndexEdit& operator=(const IndexEdit&) = delete;

  // Makes each id have exactly these values, whatever it had before: repeating a change does no
  // harm. `changes` are of one product, sorted by id, each id once. The cost is in proportion to
  // their number and to the blocks they fall into, so a batch is one call a product. A text is
  // looked up when its value is new to a block; another text there is Damaged.
  void apply(Product product, std::span<const Change> changes);

  // Removes about `rows` rows of a facet that is dropped, of products from `from` on. Returns the
  // product from which to go on; absent: none is left. A caller that forgets it begins with 0
  // again.
  std::optional<Product> drop_facet(FacetNumber facet, Product from, std::size_t rows);
  // Removes everything.
  void clear();

 private:
  struct Scratch;

  const Databases& db_;
  lmdb::WriteTransaction& txn_;
  std::span<const FacetNumber> ignored_;
  std::unique_ptr<Scratch> scratch_;
};

// Keeps the texts of values under their codes.
class TextRows {
 public:
  // Keeps the text of a value, if it has one. Throws lmdb::Damaged if another one is there.
  void keep(const Databases& databases, lmdb::WriteTransaction& txn, const Value& value);
  // Tells that texts were removed.
  void forget() { known_ = {}; }

 private:
  struct SeenText {
    FacetNumber facet = every_id;
    Code code = 0;
  };
  std::array<SeenText, 64>
      known_;  // some of the values whose texts this transaction has seen, by code
};

// The keys of texts that no id has any more. Reads all blocks; memory: as many texts as there are.
// Where a block is damaged, it may have any text: then none.
std::set<std::string, std::less<>> unused_texts(const Databases& databases,
                                                const lmdb::Transaction& txn);

}  // namespace quire::bitmap_index
