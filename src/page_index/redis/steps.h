// Applies changes to the page index in Redis.
#pragma once

#include <vector>

#include "change/target.h"
#include "page_index/redis/buckets.h"

namespace quire::redis {

// See Target::apply(). Where another's step of the shard is open, completes that one instead.
Awaitable<Result<bool>> apply(Buckets& buckets, change::Step step);

// See PageIndex::put().
Awaitable<Status> put(Buckets& buckets, std::vector<change::Change> changes);

}  // namespace quire::redis
