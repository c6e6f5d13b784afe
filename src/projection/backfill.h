// Builds a page index from a scan of the whole table, and hands it over to the stream. First the
// stream's shards are noted. The scan sees at least all that was written before, and what was
// written since is read again from the stream. A comment's last change decides, however often its
// changes are applied: so the overlap does no harm.
#pragma once

#include <atomic>
#include <string>

#include "base/clock.h"
#include "projection/follower.h"

namespace quire::projection {

// The pace of a recount, which reads the stream beside workers. The service allows five reads of a
// shard in a second, to all who read it together.
inline Pace recount_pace(Milliseconds poll = Milliseconds(400)) {
  return {.poll = poll,
          .beat = 5 * poll,
          .visible_after = Milliseconds(0)};  // no server asks a recount
}

struct Building {
  std::size_t segments = 8;  // scanned at once; 1 to 64
  bool again = false;        // also if the target follows the stream, or another build has begun
  bool lambda = false;       // AWS Lambda is to follow the stream, not a worker
  Milliseconds retry_delay{100};  // after a failure, before the next try; longer each time
  Clock clock = system_ms;
  // These are for statistics, which are recounted:
  Pace recount = recount_pace();
  Milliseconds stall_timeout{600'000};  // how long the stream may bring nothing that is waited for
  Milliseconds marking_poll{250};       // between reads of a shard whose records are marked as seen
};

// Counted while a build runs; any thread may read it.
struct Progress {
  std::atomic<std::uint64_t> comments = 0;
  std::atomic<std::size_t> segments = 1, segments_done = 0;

  double part() const { return static_cast<double>(segments_done) / static_cast<double>(segments); }
};

// Returns when the target has the whole table and follows the stream. Workers continue from there.
// After a kill at any moment, call it again: it continues, as long as the stream still has the
// records after the marks. On a loop of one thread.
// Errors: unavailable, it may be called again; invalid_parameter, the table has no stream.
Awaitable<Status> backfill(Source& source, Target& target, std::string epoch, Building options,
                           Progress& progress);

// Whether the target follows the stream and can go on, with its words if it is to have some, and
// with all facets of the table if it holds facets. It may also hold facets that the table has
// dropped.
Awaitable<Result<bool>> is_built(Source& source, Target& target, Clock clock);

// A name that nothing else has, for an epoch or for leases.
std::string new_name();

}  // namespace quire::projection
