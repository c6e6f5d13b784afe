// Takes the records of one shard to the target, until the shard ends.
#pragma once

#include <functional>
#include <string>

#include "base/clock.h"
#include "projection/source.h"

namespace quire::projection {

struct Pace {
  Milliseconds poll{250};               // between reads of a shard that has nothing new
  Milliseconds beat{5000};              // between leases' beats, and between marks without changes
  Milliseconds takeover_after{20'000};  // after which a silent worker's shards are taken over
  Milliseconds retry_delay{100};        // after a failure, before the next try; longer each time
  Milliseconds wait_step{50};           // between checks whether a wait has to end
  Milliseconds max_record_delay{1000};  // a record comes at most so long after its write
  Milliseconds visible_after{1500};     // after which every server knows of a mark's time
};

// Any thread may read them.
struct WorkerCounters {
  std::atomic<std::uint64_t> changes = 0;  // that were applied
  std::atomic<std::uint64_t> steps = 0;
  std::atomic<std::uint64_t> failures = 0;  // of the source or the target
};

class Follower {
 public:
  enum class End {
    left,     // the shard is another worker's now, or this worker stops
    changed,  // the target's state is not as this worker knew it: read it anew
    done,     // the shard has ended, and all of it is applied
    gone,     // the stream no longer has the records that come next
  };

  Follower(Source& source, Target& target, Pace pace, Clock clock, WorkerCounters& counters)
      : source_(source),
        target_(target),
        pace_(pace),
        clock_(std::move(clock)),
        counters_(counters) {}

  // Holds one batch of records at a time, and applies it before it reads on. Tries again what
  // fails, ever more slowly, as long as `mine` says that the shard is this worker's.
  Awaitable<End> follow(State state, std::string shard, std::function<bool()> mine);

 private:
  struct Course;
  Awaitable<std::optional<End>> advance(Course& course);
  Awaitable<std::optional<End>> begin(Course& course);
  Awaitable<bool> announce_step(Course& course);
  Awaitable<std::optional<End>> take(Course& course, Read read, std::uint64_t asked_ms);
  std::uint64_t as_of(const Course& course, const Read& read, bool at_tip) const;
  Awaitable<std::optional<bool>> move(Course& course, Mark after, std::vector<Change> changes);
  Awaitable<std::optional<End>> finish(Course& course);
  Awaitable<std::optional<End>> reread_state(Course& course, std::optional<End> in_place);
  Awaitable<void> wait_to_retry(Course& course, const Error& error);
  Awaitable<void> rest(const Course& course, Milliseconds time);

  Source& source_;
  Target& target_;
  Pace pace_;
  Clock clock_;
  WorkerCounters& counters_;
};

}  // namespace quire::projection
