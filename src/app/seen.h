// Hands statistics over to AWS Lambda, which gives all records that the stream has, and does not
// tell of which shard they are: those that a recount has already are marked as seen.
#pragma once

#include "projection/source.h"
#include "store/dynamodb/statistics/statistics.h"

namespace quire {

// Of every shard the records up to its mark in `counted`. Nobody may apply records meanwhile.
Awaitable<Status> mark_seen(projection::Source& source, const change::State& counted,
                            dynamodb::TableStatistics& statistics);

}  // namespace quire
