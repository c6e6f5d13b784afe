// Hands statistics over to AWS Lambda. Lambda gives all records that the stream has, and does not
// tell their shard. So the records that a recount has already are marked as seen.
#pragma once

#include "projection/statistics.h"

namespace quire::projection {

// Marks the records of each shard up to its mark in `counted`. Nobody may apply records meanwhile.
// `poll`: between reads of a shard; the service allows five a second.
Awaitable<Status> mark_seen(Source& source, const State& counted, StatisticsTarget& statistics,
                            Milliseconds poll);

}  // namespace quire::projection
