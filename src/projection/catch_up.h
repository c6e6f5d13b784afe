// Follows the stream for a while, and no longer.
#pragma once

#include <string>

#include "projection/worker.h"

namespace quire::projection {

// Until the target has everything that was written before now: with nothing to read, after some
// looks at each shard, or up to a beat later. On a loop of one thread.
// unavailable: no mark moved for `patience`, or the target cannot follow.
Awaitable<Status> catch_up(Source& source, Target& target, Worker::Options options,
                           std::chrono::seconds patience);

}  // namespace quire::projection
