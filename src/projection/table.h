// A table and what follows it, as building, verifying and repairing see them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "page_index/page_index.h"
#include "projection/source.h"
#include "projection/statistics.h"

namespace quire::projection {

struct Followed {
  std::string what;        // "statistics" or "page index", for people
  std::string projection;  // names the leases, together with the target's epoch
  Target* target;
};

// All of it must outlive the table.
struct Table {
  Source& source;
  StatisticsTarget& statistics;         // also where each write keeps them
  PageIndex* index = nullptr;           // null: there is none
  std::vector<Followed> followed = {};  // kept in step by the stream; the statistics first
};

// Makes an empty page index for a recount. Its files are gone when it is destroyed.
using MakeIndex = std::function<Result<std::unique_ptr<PageIndex>>()>;

// The port to items at fault: damaged ones, and comments that lie in other lists than their own.
// The scans of the source find them.
class Inspection {
 public:
  virtual ~Inspection() = default;

  // Reads each item at fault anew: a sentence for each that still is. unavailable: the table cannot
  // be asked.
  virtual Awaitable<Result<std::vector<std::string>>> look_again() = 0;
  // Puts right what look_again() found: sets damaged items aside, and puts comments into their own
  // lists. An item that changes meanwhile is left as it is.
  virtual Awaitable<Status> repair() = 0;
};

}  // namespace quire::projection
