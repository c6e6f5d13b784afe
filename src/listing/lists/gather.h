// Reads the lists of one plan together until there are enough rows.
#pragma once

#include "merge/merge.h"
#include "plan/plan.h"
#include "store/lists_view.h"

namespace quire::lists {

// Which rows are read.
struct Span {
  Order order;
  std::optional<Ulid> after;
  std::size_t wanted;
};

struct Gathered {
  std::vector<Entry> rows;  // fewer than wanted: there are no more, unless the reading stopped
  std::size_t read = 0;
  std::size_t discarded = 0;
  std::size_t requests = 0;
  bool changed_plan = false;  // the chosen way dropped too much; the lossless one finished
  // Where the reading stopped although there may be more rows beyond.
  std::optional<Ulid> stopped = {};
};

// How many entries a filter may cost, looked at between reads, where no lists of the store are
// lossless: it has a rest, or they are absent. A page then ends with fewer rows, and the next goes
// on.
inline constexpr std::size_t max_under_rest = 2000;

// A choice that drops entries may meet a stretch where it drops nearly all of them. After several
// times the expected number of entries, the lossless choice continues from the last one: a single
// id is a position in every list.
Awaitable<Result<Gathered>> gather(ListView& view, const Plan& plan, Span span);

}  // namespace quire::lists
