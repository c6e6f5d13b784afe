// The parts of a listing: in each the comments are in id order. Sorted by time, the whole listing
// is one part. Sorted by rating, each rating is a part, and the parts lie end to end.
#pragma once

#include "listing/listing.h"
#include "plan/plan.h"
#include "store/lists_view.h"

namespace quire::lists {

struct Part {
  FacetValue value;  // that its comments have in common; any: the listing has one part
  Plan plan;
};

// In the order of the sort, which is by time or rating; some may be empty. `wanted`: how many rows
// are to be found.
std::vector<Part> parts_of(const Filter& filter, const Counts& counts, Sort sort,
                           std::size_t wanted, const CostModel& costs);
// What positions in this part sort by, beside the id.
std::optional<std::int64_t> value_in(const Part& part);
// The part that holds comments with this value; there must be one.
std::size_t part_of(const std::vector<Part>& parts, std::optional<std::int64_t> value);
// Of all parts together.
inline std::uint64_t length(const std::vector<Part>& parts) {
  std::uint64_t sum = 0;
  for (const auto& part : parts) sum += part.plan.matches;
  return sum;
}

// Where the reading of parts begins.
struct ReadFrom {
  std::size_t part;
  std::optional<Ulid> after;  // absent: from the part's edge
  // Whether `after` itself is read along with what follows: if it is still there, something lies
  // behind.
  bool look_behind = false;
};

// What was read of one part.
struct PartRead {
  std::size_t part;
  std::optional<Ulid> after;
  bool changed_plan;
  bool stopped;     // before its end, because too few entries were kept
  std::size_t end;  // how many rows were read up to its end
};

struct PartsRead {
  std::vector<Entry> rows;        // in the order read
  bool something_behind = false;  // `after` was seen
  bool more = false;              // more rows follow in that direction
  std::size_t read = 0;
  std::size_t requests = 0;
  std::vector<PartRead> parts;
  // Of the first and of the last row, in the order read; absent: there are no rows. Where the
  // reading stopped, `far` is how far it came.
  std::optional<Position> near, far;
};

// At most `limit` rows, in this direction. `look_ahead`: whether one more is read, to learn whether
// more follow.
Awaitable<Result<PartsRead>> read_parts(ListView& view, const std::vector<Part>& parts, Order order,
                                        Direction direction, ReadFrom from, std::size_t limit,
                                        bool look_ahead = true);

}  // namespace quire::lists
