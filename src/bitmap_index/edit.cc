#include "bitmap_index/edit.h"

#include <algorithm>
#include <stdexcept>

#include "bitmap_index/block_row.h"
#include "bitmap_index/region_writer.h"

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

std::vector<Moved> moved_ids(const Changes& changes, Product product, lmdb::Cursor& ids) {
  std::vector<Moved> moved;
  for (std::size_t i = 0; i < changes.all.size(); ++i) {
    if (changes.levels[i] == 0) continue;
    const auto& change = changes.all[i];
    bool stays = change.values.has_value();
    bool there = ids.seek(ids_key(product), change.id.view(), MDB_GET_BOTH);
    if (there != stays) moved.push_back({change.id, changes.levels[i], stays});
  }
  return moved;
}

}  // namespace

std::optional<Product> IndexEdit::drop_facet(FacetNumber facet, Product from, std::size_t rows) {
  return FacetDrop(db_, txn_.get(), facet, rows).run(from);
}

// What is kept from one product to the next, so that memory is allocated once.
struct IndexEdit::Scratch {
  Changes changes;
  Region region;
  WriterScratch writer;
};

IndexEdit::IndexEdit(const Databases& databases, lmdb::WriteTransaction& txn,
                     std::span<const FacetNumber> ignored)
    : db_(databases), txn_(txn), ignored_(ignored), scratch_(std::make_unique<Scratch>()) {}

IndexEdit::~IndexEdit() = default;

void IndexEdit::apply(Product product, std::span<const Change> all) {
  auto& [changes, region, scratch] = *scratch_;
  changes.all = all;
  changes.levels.clear();
  auto not_ascending = [](const Change& a, const Change& b) { return !(a.id < b.id); };
  if (std::adjacent_find(all.begin(), all.end(), not_ascending) != all.end())
    throw std::invalid_argument("changes of the index are not sorted by id");
  for (const auto& change : all)
    changes.levels.push_back(static_cast<std::uint8_t>(start_level(db_, change.id)));
  lmdb::Cursor ids(txn_.get(), db_.ids), counts(txn_.get(), db_.counts),
      blocks(txn_.get(), db_.blocks);
  LevelCounts levels(db_, txn_, counts, product, ignored_, moved_ids(changes, product, ids));
  Regions regions(db_, product, changes, counts, ids);
  RegionWriter writer({db_, txn_, ignored_, product, ids, counts, blocks}, levels, scratch);
  while (regions.next(region)) writer.write(region);
  levels.finish();
}

void IndexEdit::clear() {
  for (MDB_dbi database : {db_.ids, db_.blocks.dbi, db_.counts.dbi, db_.texts.dbi})
    txn_.clear(database);
  scratch_->writer.texts.forget();
}

void TextRows::keep(const Databases& databases, lmdb::WriteTransaction& txn, const Value& value) {
  if (value.text.empty()) return;
  auto& known = known_[(value.code ^ value.facet) % known_.size()];
  if (known.facet == value.facet && known.code == value.code) return;
  auto key = text_key(value.facet, value.code);
  auto there = txn.find(databases.texts, key);
  if (there && *there != value.text)
    throw lmdb::Damaged("a row of index_texts has the text of another value: run quire verify");
  if (!there) txn.put(databases.texts, key, value.text);
  known = {value.facet, value.code};
}

std::set<std::string, std::less<>> unused_texts(const Databases& databases,
                                                const lmdb::Transaction& txn) try {
  std::set<std::string, std::less<>> unused;
  lmdb::Cursor texts(txn, databases.texts.dbi);
  for (bool there = texts.move(MDB_FIRST); there; there = texts.move(MDB_NEXT))
    unused.emplace(texts.key());
  if (unused.empty()) return unused;
  lmdb::Cursor blocks(txn, databases.blocks.dbi);
  for (bool there = blocks.move(MDB_FIRST); there; there = blocks.move(MDB_NEXT)) {
    auto bytes = lmdb::unsealed(databases.blocks.seed, blocks.key(), blocks.value());
    if (!bytes || blocks.key().size() != Key<22>::size) return {};
    BlockRow row(*bytes);
    auto facet = lmdb::get_u16(blocks.key().data() + product_prefix);
    for (std::size_t entry = 0; entry < row.entries(); ++entry) {
      auto used = unused.find(std::string_view(text_key(facet, row.code(entry))));
      if (used != unused.end()) unused.erase(used);
    }
  }
  return unused;
} catch (const lmdb::Damaged&) {
  return {};
}

}  // namespace quire::bitmap_index
