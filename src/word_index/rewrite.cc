#include "word_index/rewrite.h"

#include <algorithm>
#include <deque>
#include <span>

#include "lmdb/cursor.h"
#include "word_index/reader.h"
#include "word_index/runs.h"
#include "word_index/terms_of_segment.h"
#include "word_index/varint.h"

namespace quire::word_index {
namespace {

constexpr std::uint32_t most_dead = 32;  // one slot of so many

// All slots of a range but those that are known to be dead. Empty: more of them are.
std::vector<bool> all_but(std::span<const Slot> known, const Segment& range) {
  std::vector<bool> live(range.length, true);
  std::size_t dead = 0;
  for (auto slot : known) {
    if (slot < range.start || slot - range.start >= range.length) continue;
    live[slot - range.start] = false;
    ++dead;
  }
  if (dead != range.dead) live.clear();
  return live;
}

// Which slots of a range some comment has.
std::vector<bool> live_slots(const Databases& databases, const lmdb::Transaction& txn,
                             const Segment& range) {
  std::vector<bool> live(range.length);
  std::uint64_t begin = range.start, end = begin + range.length;
  for (const auto& entry : lmdb::Entries(txn, databases.slots)) {
    auto row = lmdb::unsealed(databases.slots.seed, entry.key(), entry.value());
    if (!row) damaged();
    auto runs = Runs::decode(*row);
    for (const auto& run : runs.all()) {
      auto from = std::max<std::uint64_t>(run.slot, begin),
           to = std::min<std::uint64_t>(std::uint64_t{run.slot} + run.length, end);
      for (auto slot = from; slot < to; ++slot) live[slot - begin] = true;
    }
  }
  return live;
}

}  // namespace

Segment joined(std::span<const Segment> segments) {
  Segment all = segments.front();
  for (const auto& segment : segments.subspan(1)) {
    all.length = segment.start + segment.length - all.start;
    all.dead += segment.dead;
    if (segment.product != all.product) all.product = 0;
  }
  return all;
}

Rewrite prepare(const Databases& databases, const lmdb::Transaction& txn, const Segments& all,
                const Due& due, std::span<const Slot> known) {
  auto before = std::span(all.segments).subspan(due.from, due.count);
  auto whole = joined(before);
  std::vector<bool> live;
  if (whole.dead > 0) live = all_but(known, whole);
  if (whole.dead > 0 && live.empty()) live = live_slots(databases, txn, whole);
  std::deque<CursorRows> sources;
  std::deque<TermsOfSegment> terms;
  std::vector<Part> parts;
  for (const auto& segment : before) {
    auto& of_segment = terms.emplace_back(sources.emplace_back(databases, txn), segment.start);
    auto& to = parts.emplace_back(Part{&of_segment, {}}).to;
    to = in_a_row(segment.length, segment.start - whole.start);
    for (auto& position : to) {
      if (!live.empty() && !live[position]) position = gone;
    }
  }
  bool empty = !live.empty() && std::find(live.begin(), live.end(), true) == live.end();
  return {all.rewrites, {before.begin(), before.end()}, merge(whole.start, parts), empty};
}

std::optional<Due> rewrite_due(const Segments& all) {
  if (auto due = merge_due(all.segments)) return due;
  const auto& segments = all.segments;
  auto many = std::find_if(segments.begin(), segments.end(), [](const Segment& segment) {
    return segment.length >= tiers[1] && segment.dead > segment.length / most_dead;
  });
  if (many == segments.end()) return {};
  return Due{static_cast<std::size_t>(many - segments.begin()), 1};
}

std::optional<Due> dead_due(const Segments& all, Slot from) {
  const auto& segments = all.segments;
  auto found = std::find_if(segments.begin(), segments.end(), [&](const Segment& segment) {
    return segment.dead > 0 && segment.start + segment.length > from;
  });
  if (found == segments.end()) return {};
  return Due{static_cast<std::size_t>(found - segments.begin()), 1};
}

}  // namespace quire::word_index
