// Empties the page index in Redis, and begins it anew.
#pragma once

#include "change/target.h"
#include "page_index/redis/buckets.h"

namespace quire::redis {

// See Target::reset(). First removes the epoch, so no step is begun until it ends. Then each bucket
// takes the number of the reset as its life, and is emptied. Of two resets at once the later one
// has the larger number, and wins.
Awaitable<Status> reset(Buckets& buckets, change::State state);

}  // namespace quire::redis
