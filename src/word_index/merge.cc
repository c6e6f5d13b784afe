#include "word_index/merge.h"

#include <algorithm>
#include <numeric>

#include "lmdb/numbers.h"
#include "word_index/varint.h"

namespace quire::word_index {
namespace {

// The tier whose segments have at most so many slots.
std::size_t tier_of(std::uint32_t length) {
  return static_cast<std::size_t>(std::lower_bound(std::begin(tiers), std::end(tiers), length) -
                                  std::begin(tiers));
}

void append_moved(Part& part, std::vector<Position>& old, std::vector<Position>& moved) {
  old.clear();
  part.terms->append_to(old);
  for (auto position : old) {
    if (position >= part.to.size()) damaged();
    if (part.to[position] != gone) moved.push_back(part.to[position]);
  }
}

}  // namespace

std::string encode(const Segments& segments) {
  std::string out(12, '\0');
  lmdb::put_u64(out.data(), segments.rules);
  lmdb::put_u32(out.data() + 8, segments.next_slot);
  Slot end = 0;
  for (const auto& segment : segments.segments) {
    put_varint(out, segment.start - end);
    put_varint(out, segment.length);
    put_varint(out, segment.dead);
    put_varint(out, segment.product);
    end = segment.start + segment.length;
  }
  return out;
}

Segments decode_segments(std::string_view bytes) {
  if (bytes.size() < 12) damaged();
  Segments segments{lmdb::get_u64(bytes.data()), lmdb::get_u32(bytes.data() + 8)};
  bytes.remove_prefix(12);
  std::uint64_t end = 0;
  while (!bytes.empty()) {
    auto start = end + take_varint(bytes);
    Segment segment{static_cast<Slot>(start), take_varint(bytes)};
    segment.dead = take_varint(bytes);
    segment.product = take_varint(bytes);
    end = start + segment.length;
    bool whole = segment.length > 0 && segment.length <= max_segment &&
                 segment.dead <= segment.length && end <= segments.next_slot;
    if (!whole) damaged();
    segments.segments.push_back(segment);
  }
  return segments;
}

std::optional<Due> merge_due(std::span<const Segment> segments) {
  std::optional<Due> due;
  auto lowest = std::size(tiers) - 1;
  if (!segments.empty() && segments.back().length < tiers[0])
    segments = segments.first(segments.size() - 1);
  for (std::size_t from = 0; from < segments.size();) {
    auto tier = tier_of(segments[from].length);
    auto end = from + 1;
    while (end < segments.size() && tier_of(segments[end].length) == tier &&
           segments[end].start == segments[end - 1].start + segments[end - 1].length)
      ++end;
    if (end - from >= merged_segments && tier < lowest) {
      lowest = tier;
      due = Due{from, merged_segments};
    }
    from = end;
  }
  return due;
}

std::vector<Position> in_a_row(std::uint32_t length, Position first) {
  std::vector<Position> to(length);
  std::iota(to.begin(), to.end(), first);
  return to;
}

std::vector<Row> merge(Slot segment, std::span<Part> parts) {
  RowWriter writer(segment);
  std::vector<Part*> left;
  for (auto& part : parts) {
    if (part.terms->next()) left.push_back(&part);
  }
  std::vector<Position> old, positions;
  while (!left.empty()) {
    std::string term = (*std::min_element(left.begin(), left.end(), [](Part* a, Part* b) {
                         return a->terms->term() < b->terms->term();
                       }))->terms->term();
    positions.clear();
    for (auto* part : left) {
      if (part->terms->term() == term) append_moved(*part, old, positions);
    }
    std::erase_if(left,
                  [&](Part* part) { return part->terms->term() == term && !part->terms->next(); });
    if (positions.empty()) continue;
    if (!std::is_sorted(positions.begin(), positions.end()))
      std::sort(positions.begin(), positions.end());
    writer.add(term, positions);
  }
  return writer.finish();
}

}  // namespace quire::word_index
