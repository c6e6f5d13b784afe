// Builds the page index or the statistics of a table from all of its comments, and counts those
// that were written meanwhile.
#pragma once

#include "projection/backfill.h"
#include "projection/table.h"

namespace quire::projection {

// Marks the records of each shard up to its mark in `counted`. Nobody may apply records meanwhile.
// `poll`: between reads of a shard; the service allows five a second.
Awaitable<Status> mark_seen(Source& source, const State& counted, StatisticsTarget& statistics,
                            Milliseconds poll);

struct Built {
  bool was_there = false;  // it follows the stream already: nothing was done
};

// Returns when the target is built and follows the stream. After a kill, call it again: it
// continues. A page index is built in place. Statistics are recounted in an index of `make_index`,
// which takes about 60 bytes a comment; then they change where they differ. On a loop of one
// thread.
Awaitable<Result<Built>> build(const ProjectedTable& table, const Followed& followed,
                               const MakeIndex& make_index, const Building& options,
                               Progress& progress);

// Builds a target that was never built, if the table has no comment and so few other items that one
// read tells. Writes during that are kept. Returns whether the target is built.
Awaitable<bool> begin_if_empty(const ProjectedTable& table, const Followed& followed,
                               const MakeIndex& make_index);

// Has the target follow the stream from here on, without what the table has. Its epoch says when
// that was: records of before come, too. unavailable; invalid_parameter, the table has no stream.
Awaitable<Status> begin_here(Source& source, Target& target, Clock clock);

}  // namespace quire::projection
