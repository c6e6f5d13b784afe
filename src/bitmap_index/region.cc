#include "bitmap_index/region.h"

#include <algorithm>
#include <stdexcept>

#include "bitmap_index/level_counts.h"
#include "lmdb/numbers.h"

namespace quire::bitmap_index {
namespace {

bool is_before(const Ulid& a, const Ulid& b) {
  return lmdb::order(a.view(), b.view()) < 0;
}

[[noreturn]] void contradicted() {
  throw lmdb::Damaged("index_ids and index_counts contradict each other: run quire verify");
}

// Finds ids, in order, in the pages of a block.
class Ranks {
 public:
  Ranks(lmdb::Cursor& cursor, Product product, const Ulid& start)
      : pages_(cursor, product), page_(pages_.from(start)) {}

  // How many ids of the block are older, and whether this id is there.
  std::pair<std::size_t, bool> find(const Ulid& id) {
    while (!page_.empty() && is_before(page_.back(), id)) {
      passed_ += page_.size();
      page_ = pages_.next();
    }
    auto at = std::lower_bound(page_.begin(), page_.end(), id, is_before);
    return {passed_ + static_cast<std::size_t>(at - page_.begin()), at != page_.end() && *at == id};
  }

 private:
  IdPages pages_;
  std::span<const Ulid> page_;
  std::size_t passed_ = 0;
};

}  // namespace

void Region::clear() {
  before.clear();
  after.clear();
  runs.clear();
  placed.clear();
  dropped.clear();
  inserted.clear();
  erased.clear();
  newest = 0;
}

Regions::Regions(const Databases& databases, Product product, const Changes& changes,
                 lmdb::Cursor& counts, lmdb::Cursor& ids)
    : db_(databases), product_(product), changes_(changes), counts_(counts), ids_(ids) {}

std::optional<Ulid> Regions::last_id() {
  if (!ids_.seek(ids_key(product_), MDB_SET_KEY) || !ids_.move(MDB_LAST_DUP)) return {};
  Ulid last;
  std::copy_n(ids_.value().begin(), std::min(ids_.value().size(), Ulid::size), last.bytes.begin());
  return last;
}

Regions::FoundBlock Regions::block_at(const Ulid& id, bool below) {
  auto key = count_key(product_, every_id, 0, 0, id);
  auto is_block = [&] { return same_level(counts_.key(), key); };
  FoundBlock found{};
  bool there = counts_.seek(key, MDB_SET_RANGE);
  if (there && is_block()) found.end = start_of(counts_.key());
  bool exact = found.end == id;
  if (exact && !below) {
    found.block = {id, checked_block_size(count_at(db_, counts_))};
    found.end.reset();
    if (counts_.move(MDB_NEXT) && is_block()) found.end = start_of(counts_.key());
    return found;
  }
  if (counts_.move(there ? MDB_PREV : MDB_LAST) && is_block())
    found.block = {start_of(counts_.key()), checked_block_size(count_at(db_, counts_))};
  return found;
}

bool Regions::erases(std::size_t change, const Ulid& start) const {
  const auto& changes = changes_.all;
  return change < changes.size() && changes_.levels[change] > 0 && changes[change].id == start &&
         !changes[change].values;
}

bool Regions::next(Region& region) {
  region.clear();
  if (done_ == changes_.all.size()) return false;
  const auto& first = changes_.all[done_].id;
  auto found = block_at(first, false);
  if (erases(done_, found.block.start)) found = block_at(first, true);
  region.after.push_back({found.block.start});
  take_block(region, found);
  while (found.end && erases(done_, *found.end)) {
    found = block_at(*found.end, false);
    take_block(region, found);
  }
  region.after.back().runs_end = region.runs.size();
  region.after.back().placed_end = region.placed.size();
  return true;
}

void Regions::take_block(Region& region, const FoundBlock& found) {
  region.before.push_back(found.block);
  taken_ = 0;
  std::optional<Ranks> ranks;
  auto last = found.end ? std::nullopt : last_id();
  for (; done_ < changes_.all.size(); ++done_) {
    const auto& change = changes_.all[done_];
    if (found.end && !is_before(change.id, *found.end)) break;
    std::pair<std::size_t, bool> rank{found.block.ids, false};
    bool newest = !found.end && (!last || is_before(*last, change.id));
    if (!newest) {
      if (!ranks) ranks.emplace(ids_, product_, found.block.start);
      rank = ranks->find(change.id);
    }
    if (rank.first < taken_ || rank.first + rank.second > found.block.ids) contradicted();
    take_change(region, change, changes_.levels[done_], static_cast<std::uint32_t>(rank.first),
                rank.second);
    region.newest += newest && change.values;
  }
  take_run(region, found.block.ids);
}

void Regions::take_change(Region& region, const Change& change, int level, std::uint32_t rank,
                          bool there) {
  take_run(region, rank);
  auto block = static_cast<std::uint32_t>(region.before.size() - 1);
  if (there) {
    region.dropped.push_back({block, rank});
    ++taken_;
  }
  if (there && !change.values) region.erased.push_back(&change.id);
  if (!change.values) return;
  if (!there) region.inserted.push_back(&change.id);
  if (level > 0 && change.id != region.after.back().start) {
    region.after.back().runs_end = region.runs.size();
    region.after.back().placed_end = region.placed.size();
    region.after.push_back({change.id});
  }
  auto& last = region.after.back();
  if (last.ids == max_block) throw std::length_error("a block of the index has too many ids");
  region.placed.push_back(
      {&change, static_cast<std::uint32_t>(region.after.size() - 1), last.ids++});
}

// Takes the ids of the old block up to this one.
void Regions::take_run(Region& region, std::uint32_t end) {
  if (end == taken_) return;
  auto& last = region.after.back();
  auto block = static_cast<std::uint32_t>(region.before.size() - 1);
  if (last.ids + (end - taken_) > max_block)
    throw std::length_error("a block of the index has too many ids");
  region.runs.push_back({block, taken_, end - taken_, last.ids});
  last.ids += end - taken_;
  taken_ = end;
}

}  // namespace quire::bitmap_index
