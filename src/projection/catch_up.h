// Follows the stream until now, and then stops.
#pragma once

#include <string>

#include "projection/worker.h"

namespace quire::projection {

// Returns when the target has all that was written before the call. With nothing to read, that
// takes some reads of each shard, or up to a beat more. On a loop of one thread. unavailable: no
// mark moved for `patience`, or the target does not follow the stream.
Awaitable<Status> catch_up(Source& source, Target& target, Worker::Options options,
                           std::chrono::seconds patience);

}  // namespace quire::projection
