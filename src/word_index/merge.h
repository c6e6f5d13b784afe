// Segments: which there are, when several become one, and the rows of that one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "word_index/row.h"
#include "word_index/terms_of_segment.h"
#include "words/stemmers.h"

namespace quire::word_index {

struct Segment {
  Slot start;
  std::uint32_t length;       // slots
  std::uint32_t dead = 0;     // of these, how many no comment has any more, and have terms still
  std::uint32_t product = 0;  // the product of all of its comments, plus 1; 0: there are several
  friend bool operator==(const Segment&, const Segment&) = default;
};

// All segments of a store, in the order of slots, and what the store needs to go on.
struct Segments {
  std::uint64_t rules = 0;  // the digest of the rules by which the terms were made
  Slot next_slot = 0;
  std::uint32_t rewrites = 0;    // how often segments were written anew from an earlier state
  words::Stemmers stemmers = 0;  // that comments have, or had
  std::vector<Segment> segments = {};
  friend bool operator==(const Segments&, const Segments&) = default;
};

std::string encode(const Segments& segments);
// Throws lmdb::Damaged, also where segments overlap or lie behind the next slot.
Segments decode_segments(std::string_view bytes);

// As many segments become one as it is larger than they are.
inline constexpr std::size_t merged_segments = 8;
// Slots of a segment by its tier; the last one is not merged. The first is open: posts rewrite it.
inline constexpr std::uint32_t tiers[] = {16, 128, 1024, 8192, 65'536};

// Neighbouring segments that become one: from, and how many. Absent: none do. These are eight of a
// tier, with all smaller ones before and between them, so that none is left among larger ones. Of
// several choices that of the lowest tier. The last segment is left alone while it is open, and
// those that would become one of the last tier are left to a renumbering.
struct Due {
  std::size_t from, count;
};
std::optional<Due> merge_due(std::span<const Segment> segments);
// Segments that become one of the last tier, under other slots, so that they need not be
// neighbours: at least eight of the tier before, with all smaller ones that come before the last of
// them. Empty: none do.
std::vector<Segment> renumbering_due(std::span<const Segment> segments);

// The segment that has a slot. Throws lmdb::Damaged, where none has it.
Segment& segment_of(std::vector<Segment>& segments, Slot slot);

// A segment that is part of another, and where each of its positions comes to.
struct Part {
  TermsOfSegment* terms;
  std::vector<Position> to;  // `gone`: its posting is left out
};
inline constexpr Position gone = ~Position{0};

// The positions of a segment of `length` slots whose first one comes to `first`, all alive.
std::vector<Position> in_a_row(std::uint32_t length, Position first);

// The rows of the segment that has all of the parts. No two positions come to the same one. Takes
// time in proportion to the postings; what is in memory is the rows, and one term's positions.
// Throws lmdb::Damaged.
std::vector<Row> merge(Slot segment, std::span<Part> parts);

}  // namespace quire::word_index
