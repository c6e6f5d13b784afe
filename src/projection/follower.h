// Takes the records of one shard to the target, until the shard ends; and which shards are to be
// read, by the target's state.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "projection/source.h"

namespace quire::projection {

// The marks that a state begins with, before the table is scanned at `now_ms`. The records of open
// shards are read again afterwards; what closed shards have is in the scan.
std::map<std::string, Mark> first_marks(const Stream& stream, std::uint64_t now_ms);

// When a target with this epoch began to be built: an epoch is a ULID. 0: not known.
std::uint64_t begun_ms(const std::string& epoch);

// Shards that may be read: they have not ended, and everything of their parents is applied.
std::vector<std::string> readable(const State& state, const Stream& stream);

// Why the state can no longer follow the stream, as a sentence: the stream is another one, or
// records may have come and gone that were never read. Empty: it can.
std::string broken_off(const State& state, const Stream& stream, std::uint64_t now_ms);

// As as_of_ms(State), but also of shards that the state does not know yet.
std::uint64_t as_of_ms(const State& state, const Stream& stream);

// Shards whose marks are no longer needed: they ended, and neither they nor their children are in
// the stream.
std::vector<std::string> forgettable(const State& state, const Stream& stream);

// Whether a sequence number of a shard is not after another. They are decimal numbers of up to 40
// digits.
bool not_after(const std::string& sequence, const std::string& other);

// Segments of the table's scan have marks like shards, while a target is built.
std::string segment_name(std::size_t segment, std::size_t segments);
bool is_segment(const std::string& shard);

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
