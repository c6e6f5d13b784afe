#include "word_index/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "bitmap_index/level_counts.h"
#include "lmdb/cursor.h"
#include "word_index/row.h"
#include "word_index/terms_of_segment.h"

namespace quire::word_index {
namespace {

constexpr std::uint64_t slots_of_a_pass = 16 << 20;

}  // namespace

Verification::Verification(const Databases& databases, const bitmap_index::Databases& index,
                           const lmdb::Transaction& txn)
    : db_(databases), index_(index), txn_(txn) {
  try {
    contents_ = read_contents(databases, txn);
    reader_.emplace(databases, txn);
  } catch (const lmdb::Damaged&) {
    report("the list of the segments of words is damaged");
  }
}

void Verification::report(std::string what) {
  if (++found_ <= max_differences) reports_.push_back(std::move(what));
}

bool Verification::begin_pass() {
  if (!reader_ || !contents_.changes()) return false;
  bool first = to_ == 0;
  if (!first && to_ >= contents_.segments.next_slot) return false;
  from_ = to_;
  to_ = std::min<std::uint64_t>(from_ + slots_of_a_pass,
                                std::max<std::uint64_t>(contents_.segments.next_slot, 1));
  terms_.assign(to_ - from_, 0);
  live_.assign(to_ - from_, false);
  product_.reset();
  runs_ = {};
  at_ = rows_of_runs_ = 0;
  return true;
}

void Verification::expect(bitmap_index::Product product, const Ulid& id,
                          const std::function<Terms()>& terms) {
  bool new_product = product_ != product;
  if (new_product || bitmap_index::start_level(index_, id) > 0) {
    leave_block();
    bool starts = bitmap_index::start_level(index_, id) > 0;
    if (new_product && starts) enter_block(product, {});  // a first block without ids
    if (new_product && starts) leave_block();
    enter_block(product, starts ? id : Ulid{});
  }
  product_ = product;
  if (!contents_.takes(runs_key(product, id))) return;
  if (at_ >= runs_.ids()) {
    if (from_ == 0) report(fmt::format("comment {} has no words", id.text()));
    return;
  }
  auto slot = runs_.slot(at_++);
  if (slot < from_ || slot >= to_) return;
  auto place = slot - from_;
  if (live_[place]) report(fmt::format("comment {} has the words of another one", id.text()));
  live_[place] = true;
  for (const auto& term : terms()) terms_[place] += long_hash(term);
}

void Verification::enter_block(bitmap_index::Product product, const Ulid& start) {
  at_ = 0;
  runs_ = {};
  try {
    runs_ = reader_->runs(product, start);
  } catch (const lmdb::Damaged&) {
    ++rows_of_runs_;
    if (from_ == 0) report(fmt::format("a row of word_slots of product {} is damaged", product));
  }
  rows_of_runs_ += runs_.ids() > 0;
}

void Verification::leave_block() {
  if (at_ != runs_.ids() && from_ == 0)
    report(fmt::format("a block of {} comments has words of {}", at_, runs_.ids()));
  runs_ = {};
  at_ = 0;
}

void Verification::end_pass() {
  leave_block();
  if (from_ == 0 && txn_.entries(db_.slots) != rows_of_runs_)
    report("word_slots has rows of blocks that are not there, or lacks some");
  if (from_ == 0) check_rows();
  for (const auto& segment : contents_.segments.segments) {
    if (segment.start + segment.length > from_ && segment.start < to_) check_segment(segment);
  }
}

// Takes the terms of each slot from those that are expected: what is left differs.
void Verification::check_segment(const Segment& segment) {
  auto begin = std::max<std::uint64_t>(segment.start, from_),
       end = std::min<std::uint64_t>(std::uint64_t{segment.start} + segment.length, to_);
  try {
    TermsOfSegment terms(reader_->rows(), segment.start);
    std::vector<Position> positions;
    for (bool there = terms.next(); there; there = terms.next()) {
      auto hash = long_hash(terms.term());
      positions.clear();
      terms.append_to(positions);
      for (std::uint64_t position : positions) {
        auto slot = segment.start + position;
        if (position >= segment.length) return report("a segment of words has slots of another");
        if (slot >= begin && slot < end) terms_[slot - from_] -= hash;
      }
    }
  } catch (const lmdb::Damaged&) {
    return report(fmt::format("the segment of words from {} on is damaged", segment.start));
  }
  std::size_t differ = 0, live = 0;
  for (auto slot = begin; slot < end; ++slot) {
    live += live_[slot - from_];
    differ += live_[slot - from_] && terms_[slot - from_] != 0;
  }
  if (differ > 0)
    report(fmt::format("{} comments have other words than the segment from {} on says", differ,
                       segment.start));
  if (begin == segment.start && end == segment.start + segment.length &&
      live + segment.dead > segment.length)
    report(fmt::format("the segment of words from {} on counts dead slots wrongly", segment.start));
}

// Each row is of a segment, and each segment has rows.
void Verification::check_rows() {
  const auto& segments = contents_.segments.segments;
  std::size_t others = 0;
  for (const auto& entry : lmdb::Entries(txn_, db_.rows)) {
    others += std::none_of(segments.begin(), segments.end(), [&](const Segment& segment) {
      return is_of_segment(entry.key(), segment.start);
    });
  }
  if (others > 0) report(fmt::format("word_rows has {} rows of no segment", others));
}

}  // namespace quire::word_index
