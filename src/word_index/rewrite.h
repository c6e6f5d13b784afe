// Writes segments anew: as one, and without the terms of slots that no comment has any more. It is
// prepared from an earlier state of the store, which takes milliseconds, and put by a writer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lmdb/sealed.h"
#include "word_index/databases.h"
#include "word_index/merge.h"
#include "word_index/row.h"

namespace quire::word_index {

struct Rewrite {
  std::uint32_t rewrites;       // Segments::rewrites then
  std::vector<Segment> before;  // neighbours, as they were then
  std::vector<Row> rows;        // of the segment that takes their place
  bool empty = false;           // no comment has any of the slots: none takes it
};

// Neighbours as one segment.
Segment joined(std::span<const Segment> segments);
// The rewrite of these segments as the transaction sees them. `known`: slots that are dead. Reads
// all runs, where others are dead, too. Throws lmdb::Damaged.
Rewrite prepare(const Databases& databases, const lmdb::Transaction& txn, const Segments& all,
                const Due& due, std::span<const Slot> known = {});
// Whether a merge is left to prepare(): one of more slots than a writer merges by itself, or one
// segment of which many slots are dead, but for small ones, which are merged soon. Absent: none is.
std::optional<Due> rewrite_due(const Segments& all);
// The first segment that has slots behind `from`, and dead ones that have terms.
std::optional<Due> dead_due(const Segments& all, Slot from);

}  // namespace quire::word_index
