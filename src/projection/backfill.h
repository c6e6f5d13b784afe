// Builds a page index from a scan of the whole table, and hands it over to the stream: where the
// stream stands is noted first, the scan sees at least what was written before, and what was
// written since is read again. A comment's changes end with its last one, however often they are
// applied, so nothing is lost by the overlap, and nothing counted twice.
#pragma once

#include <atomic>
#include <string>

#include "base/clock.h"
#include "projection/source.h"

namespace quire::projection {

struct Building {
  std::size_t segments = 8;  // scanned at once; 1 to 64
  bool again = false;        // even if it follows the stream already, or another scan was begun
  Milliseconds falter{100};  // after a failure, before the next try; longer each time
  Milliseconds poll{400};    // between looks at a shard, where a recount catches up with it
  // Without progress, where a recount catches up with the stream.
  std::chrono::seconds patience{600};
  bool lambda = false;  // AWS Lambda is to follow the stream, not a worker
  Clock clock = system_ms;
};

// Counted while it runs; read by any thread.
struct Progress {
  std::atomic<std::uint64_t> comments = 0;
  std::atomic<std::size_t> segments = 1, segments_done = 0;

  double part() const { return static_cast<double>(segments_done) / static_cast<double>(segments); }
};

// Until the whole table is in the target and it follows the stream; what comes next is a worker's.
// Killed at any moment, it goes on where it was when it is called again, as long as the stream can
// still be followed from there. On a loop of one thread.
// Errors: unavailable, and it may be called again; invalid_parameter, the table has no stream.
Awaitable<Status> backfill(Source& source, Target& target, std::string epoch, Building options,
                           Progress& progress);

}  // namespace quire::projection
