// The segments of a listing: in each the comments are in id order. Sorted by time, the whole
// listing is one segment. Sorted by rating, each rating is a segment, and the segments lie end to
// end.
#pragma once

#include "listing/listing.h"
#include "merge/merge.h"
#include "plan/plan.h"
#include "store/views.h"

namespace quire::lists {

struct Segment {
  FacetValue value;  // that its comments have in common; any: the listing has one segment
  Plan plan;
};

// In the order of the sort, which is by time or rating; some may be empty. `wanted`: how many rows
// are to be found.
std::vector<Segment> segments_of(const Filter& filter, const Counts& counts, Sort sort,
                                 std::size_t wanted, const CostModel& costs);
// What positions in this segment sort by, beside the id.
std::optional<std::int64_t> value_in(const Segment& segment);
// The segment that holds comments with this value; there must be one.
std::size_t segment_of(const std::vector<Segment>& segments, std::optional<std::int64_t> value);
// How many comments all segments have together.
inline std::uint64_t length(const std::vector<Segment>& segments) {
  std::uint64_t sum = 0;
  for (const auto& segment : segments) sum += segment.plan.matches;
  return sum;
}

// Where the reading of segments begins.
struct ReadFrom {
  std::size_t segment;
  std::optional<Ulid> after;  // absent: from the segment's edge
  // Whether `after` itself is read along with what follows: if it is still there, something lies
  // behind.
  bool look_behind = false;
};

// What was read of one segment.
struct SegmentRead {
  std::size_t segment;
  std::optional<Ulid> after;
  bool changed_plan;
  bool stopped;     // before its end, because too few entries were kept
  std::size_t end;  // how many rows were read up to its end
};

struct SegmentsRead {
  std::vector<Entry> rows;        // in the order read
  bool something_behind = false;  // `after` was seen
  bool more = false;              // more rows follow in that direction
  std::size_t read = 0;
  std::size_t requests = 0;
  std::vector<SegmentRead> segments;
  // The positions of the first and of the last row, in the order read; absent: there are no rows.
  // Where the reading stopped, `far` is how far it came.
  std::optional<Position> near, far;
};

// At most `limit` rows, in this direction. `look_ahead`: whether one more is read, to learn whether
// more follow.
Awaitable<Result<SegmentsRead>> read_segments(ListView& view, const std::vector<Segment>& segments,
                                              Order order, Direction direction, ReadFrom from,
                                              std::size_t limit, bool look_ahead = true);

// Which rows are read.
struct Span {
  Order order;
  std::optional<Ulid> after;
  std::size_t wanted;
};

struct Gathered {
  std::vector<Entry> rows;  // fewer than wanted: there are no more, unless the reading stopped
  std::size_t read = 0;
  std::size_t requests = 0;
  bool changed_plan = false;  // the chosen way dropped too much; the lossless one finished
  // Where the reading stopped although there may be more rows beyond.
  std::optional<Ulid> stopped = {};
};

// How many entries a filter may cost, looked at between reads, where no lists of the store are
// lossless: it has clauses, or they are absent. A page then ends with fewer rows, and the next goes
// on.
inline constexpr std::size_t max_under_clauses = 2000;

// Reads the lists of one plan together until there are enough rows. A choice that drops entries may
// meet a stretch where it drops nearly all of them. After several times the expected number of
// entries, the lossless choice continues from the last one: a single id is a position in every
// list.
Awaitable<Result<Gathered>> gather(ListView& view, const Plan& plan, Span span);

}  // namespace quire::lists
