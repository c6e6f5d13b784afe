// Removes the rows of a facet, product by product.
#include <algorithm>

#include "bitmap_index/edit.h"
#include "bitmap_index/keys.h"

namespace quire::bitmap_index {
namespace {

class FacetDrop {
 public:
  FacetDrop(const Databases& databases, const lmdb::Transaction& txn, FacetNumber facet,
            std::size_t rows)
      : blocks_(txn, databases.blocks),
        counts_(txn, databases.counts),
        texts_(txn, databases.texts),
        facet_(facet),
        rows_(rows) {}

  std::optional<Product> run(Product from) {
    for (std::optional<Product> product = from; product; product = next(*product)) {
      bool clean = remove(blocks_, block_key(*product, facet_, {}), facet_prefix) &&
                   remove(counts_, count_key(*product, facet_, 0, 0, {}), facet_prefix);
      if (!clean || rows_-- == 0) return product;
    }
    // Behind all products, so that the next call comes here at once.
    bool clean = remove(texts_, text_key(facet_, 0), sizeof facet_);
    return clean ? std::nullopt : std::optional(~Product{0});
  }

 private:
  // The next product that may have rows of the facet.
  std::optional<Product> next(Product product) {
    if (product == ~Product{0}) return {};
    auto in_blocks = product_at(blocks_, block_key(product + 1, facet_, {}));
    auto in_counts = product_at(counts_, count_key(product + 1, facet_, 0, 0, {}));
    if (!in_blocks || !in_counts) return in_blocks ? in_blocks : in_counts;
    return std::min(*in_blocks, *in_counts);
  }

  static std::optional<Product> product_at(lmdb::Cursor& cursor, std::string_view key) {
    if (!cursor.seek(key, MDB_SET_RANGE) || cursor.key().size() != key.size()) return {};
    return lmdb::get_u32(cursor.key().data());
  }

  // Removes the rows from `first` on whose keys begin with the same `prefix` bytes. False: some
  // are left.
  bool remove(lmdb::Cursor& cursor, std::string_view first, std::size_t prefix) {
    bool there = cursor.seek(first, MDB_SET_RANGE);
    for (; there && cursor.key().substr(0, prefix) == first.substr(0, prefix);
         there = cursor.move(MDB_NEXT)) {
      if (rows_ == 0) return false;
      --rows_;
      cursor.remove();
    }
    return true;
  }

  lmdb::Cursor blocks_, counts_, texts_;
  FacetNumber facet_;
  std::size_t rows_;  // and products that may still be looked at
};

}  // namespace

std::optional<Product> Edit::drop_facet(FacetNumber facet, Product from, std::size_t rows) {
  return FacetDrop(db_, txn_.get(), facet, rows).run(from);
}

}  // namespace quire::bitmap_index
