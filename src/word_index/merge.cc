#include "word_index/merge.h"

#include <algorithm>
#include <bit>
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

// Segments of this tier become those of the last one.
constexpr std::size_t last_merged = std::size(tiers) - 2;

constexpr std::size_t code_size = 2;  // of a stemmer; zeros where it has none

// Codes, not numbers: those are of this program alone.
void put_stemmers(std::string& out, words::Stemmers all) {
  out += static_cast<char>(std::popcount(all));
  for (words::Stemmer stemmer = 0; stemmer < words::stemmers; ++stemmer) {
    if (!(all & words::only(stemmer))) continue;
    std::string code(words::code_of(stemmer));
    code.resize(code_size);
    out += code;
  }
}

words::Stemmers take_stemmers(std::string_view& bytes) {
  words::Stemmers all = 0;
  auto left = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  for (; left > 0; --left) {
    if (bytes.size() < code_size) damaged();
    auto code = bytes.substr(0, code_size);
    auto stemmer = words::stemmer_with(code == std::string_view("\0", 2) ? "" : code);
    if (!stemmer) damaged();
    all |= words::only(*stemmer);
    bytes.remove_prefix(code_size);
  }
  return all;
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
  std::string out(16, '\0');
  lmdb::put_u64(out.data(), segments.rules);
  lmdb::put_u32(out.data() + 8, segments.next_slot);
  lmdb::put_u32(out.data() + 12, segments.rewrites);
  put_stemmers(out, segments.stemmers);
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
  if (bytes.size() < 17) damaged();
  Segments segments{lmdb::get_u64(bytes.data()), lmdb::get_u32(bytes.data() + 8),
                    lmdb::get_u32(bytes.data() + 12)};
  bytes.remove_prefix(16);
  segments.stemmers = take_stemmers(bytes);
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
  if (!segments.empty() && segments.back().length < tiers[0])
    segments = segments.first(segments.size() - 1);
  auto end_of = [&](std::size_t at) { return segments[at].start + segments[at].length; };
  for (std::size_t tier = 0; tier < last_merged; ++tier) {
    std::size_t from = 0, of_tier = 0;
    for (std::size_t at = 0; at < segments.size(); ++at) {
      auto own = tier_of(segments[at].length);
      bool goes_on = at == from || end_of(at - 1) == segments[at].start;
      if (own > tier || !goes_on) from = own > tier ? at + 1 : at, of_tier = 0;
      if (own > tier) continue;
      if (end_of(at) - segments[from].start > max_segment) return Due{from, at - from};
      of_tier += own == tier;
      if (of_tier == merged_segments) return Due{from, at + 1 - from};
    }
  }
  return {};
}

std::vector<Segment> renumbering_due(std::span<const Segment> segments) {
  std::vector<Segment> due;
  std::size_t of_tier = 0, up_to_tier = 0, slots = 0;
  for (const auto& segment : segments) {
    auto tier = tier_of(segment.length);
    if (tier > last_merged) continue;
    slots += segment.length;
    if (slots > max_segment) break;
    due.push_back(segment);
    if (tier < last_merged) continue;
    ++of_tier;
    up_to_tier = due.size();
  }
  due.resize(of_tier < merged_segments ? 0 : up_to_tier);
  return due;
}

Segment& segment_of(std::vector<Segment>& segments, Slot slot) {
  auto behind = std::upper_bound(segments.begin(), segments.end(), slot,
                                 [](Slot at, const Segment& each) { return at < each.start; });
  if (behind == segments.begin()) damaged();
  auto& segment = *std::prev(behind);
  if (slot - segment.start >= segment.length) damaged();
  return segment;
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
