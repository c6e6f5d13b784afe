// Builds the page index or the statistics of a table from all of its comments.
#pragma once

#include "projection/backfill.h"
#include "projection/table.h"

namespace quire::projection {

struct Built {
  bool was_there = false;  // it follows the stream already: nothing was done
};

// Until it is built and follows the stream. Killed, it goes on when it is called again. A page
// index is built in place. Statistics are recounted in an index of `make_index`, which takes about
// 150 bytes a comment; then they change where they differ. On a loop of one thread.
Awaitable<Result<Built>> build(const Table& table, const Followed& followed,
                               const MakeIndex& make_index, const Building& options,
                               Progress& progress);

// Builds what was never built, if the table has no comment: that takes a moment, and what is
// written meanwhile is not lost. Whether it is built.
Awaitable<bool> begin_if_empty(const Table& table, const Followed& followed,
                               const MakeIndex& make_index);

}  // namespace quire::projection
