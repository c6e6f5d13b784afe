// Compares a table's statistics and page index with a recount of its comments, and repairs them.
#pragma once

#include <string>
#include <vector>

#include "projection/backfill.h"
#include "projection/table.h"

namespace quire::projection {

struct Reports {
  std::size_t differences = 0;
  std::vector<std::string> sentences = {};  // a difference each; the first thousand
};

struct Verified {
  std::size_t comments = 0;  // counted
  Reports found = {};
  Reports left = {};  // after repairing
  RepairedItems items = {};
};

struct Verification {
  bool repair = false;
  std::size_t segments = 8;  // scanned at once
  Pace recount = recount_pace();
  std::size_t max_products = 10'000;   // that differ: then it stops, unless it repairs
  Milliseconds between_looks{1500};    // at the same product: workers get in step meanwhile
  Milliseconds max_age{1000};          // of a recount by which a product is repaired
  Milliseconds stall_timeout{30'000};  // with a target that lags and does not move
  Milliseconds wait_step{200};         // between looks whether a target has got in step
};

// Writes may go on meanwhile. What differs is looked at again, in step with the stream, and only
// what differs in every look is reported. Repairing puts it right, and again if writes came
// between; workers and servers may go on. Also names and repairs the items of `inspection`.
// unavailable: a target does not follow the table, or lags behind it and does not move.
Awaitable<Result<Verified>> verify(const ProjectedTable& table, Inspection& inspection,
                                   const MakeIndex& make_index, const Verification& options,
                                   Progress& progress);

}  // namespace quire::projection
