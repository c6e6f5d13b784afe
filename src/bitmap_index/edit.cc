#include "bitmap_index/edit.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "bitmap_index/keys.h"
#include "bitmap_index/region_writer.h"
#include "bitmap_index/texts.h"

namespace quire::bitmap_index {
namespace {

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

// What is kept from one product to the next, so that memory is allocated once.
struct Edit::Scratch {
  Changes changes;
  Region region;
  WriterScratch writer;
};

Edit::Edit(const Databases& databases, lmdb::WriteTransaction& txn,
           std::span<const FacetNumber> ignored)
    : db_(databases), txn_(txn), ignored_(ignored), scratch_(std::make_unique<Scratch>()) {}

Edit::~Edit() = default;

void Edit::apply(Product product, std::span<const Change> all) {
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

void Edit::clear() {
  for (MDB_dbi database : {db_.ids, db_.blocks.dbi, db_.counts.dbi, db_.texts.dbi})
    txn_.clear(database);
  scratch_->writer.texts.forget();
}

}  // namespace quire::bitmap_index
