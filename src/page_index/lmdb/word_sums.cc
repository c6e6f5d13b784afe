#include "page_index/lmdb/word_sums.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/hash.h"
#include "bitmap_index/reading/rows.h"
#include "word_index/row.h"
#include "word_index/runs.h"
#include "word_index/terms_of_segment.h"

namespace quire::page_index {
namespace {

using word_index::Slot;

// The slots of the ids of a block, by position.
std::vector<Slot> slots_of(const word_index::Runs& runs) {
  std::vector<Slot> slots;
  for (const auto& run : runs.all()) {
    for (Slot i = 0; i < run.length; ++i) slots.push_back(run.slot + i);
  }
  return slots;
}

}  // namespace

std::vector<std::uint64_t> WordSums::of(const word_index::Databases& words,
                                        const lmdb::Transaction& txn, std::string_view life,
                                        bitmap_index::Reader& product, std::span<const Ulid> ids) {
  std::lock_guard lock(mutex_);
  if (life_ != life) {
    kept_.clear();
    size_ = 0;
    life_ = life;
  }
  word_index::Reader reader(words, txn);
  std::vector<std::uint64_t> sums;
  std::optional<Ulid> start;
  std::optional<bitmap_index::BlockIds> places;
  std::vector<Slot> slots;
  std::uint32_t in_block = 0;
  for (const auto& id : ids) {
    auto block = product.block_of(id);
    if (block.ids == 0) bitmap_index::contradict("a comment is in no block");
    if (start != block.start) {
      start = block.start;
      places.emplace(product, block.start);
      slots = slots_of(reader.runs(product.product(), block.start));
      in_block = block.ids;
    }
    auto position = places->lower_bound(id, in_block);
    sums.push_back(position < slots.size() ? of_slot(slots[position], reader) : 0);
  }
  return sums;
}

std::uint32_t WordSums::of_slot(Slot slot, word_index::Reader& reader) {
  auto segments = reader.segments();
  auto behind =
      std::upper_bound(segments.begin(), segments.end(), slot,
                       [](Slot at, const word_index::Segment& each) { return at < each.start; });
  if (behind == segments.begin()) bitmap_index::contradict("a slot is of no segment");
  const auto& segment = *std::prev(behind);
  if (slot - segment.start >= segment.length) bitmap_index::contradict("a slot is of no segment");
  return of_segment(segment, reader.rows())[slot - segment.start];
}

const WordSums::Sums& WordSums::of_segment(const word_index::Segment& segment,
                                           word_index::RowSource& rows) {
  auto known = kept_.find(segment.start);
  if (known != kept_.end() && known->second.size() == segment.length) return known->second;
  if (known != kept_.end()) {
    size_ -= known->second.size();
    kept_.erase(known);
  }
  if (size_ + segment.length > max_kept) {
    kept_.clear();
    size_ = 0;
  }
  Sums sums(segment.length);
  word_index::TermsOfSegment terms(rows, segment.start);
  std::vector<word_index::Position> positions;
  for (bool there = terms.next(); there; there = terms.next()) {
    auto hash = static_cast<std::uint32_t>(long_hash(terms.term()));
    positions.clear();
    terms.append_to(positions);
    for (auto position : positions) {
      if (position >= sums.size()) bitmap_index::contradict("a segment has slots of another");
      sums[position] += hash;
    }
  }
  size_ += sums.size();
  return kept_[segment.start] = std::move(sums);
}

}  // namespace quire::page_index
