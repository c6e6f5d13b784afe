// The projection as a function that AWS Lambda calls with batches of the stream's records.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "projection/table.h"

namespace quire::projection {

struct Batch {
  std::vector<Change> changes;  // each with the sequence number of its record
  bool records = false;         // the batch has records, be they about comments or not
  std::uint64_t as_of_ms = 0;   // all that was written before then has come
  std::chrono::steady_clock::time_point until;  // no step is begun after it
};

// Applies the changes to all that follows the table. The sequence number of the first change that
// is not applied; absent: all are. An error: none is applied, and the batch is to be sent again.
// Batches may come again, and several at once: statistics count nothing twice.
Awaitable<Result<std::optional<std::string>>> apply_batch(const ProjectedTable& table, Batch batch);

}  // namespace quire::projection
