// Keeps one target in step with the table's stream, together with other workers. Follows the shards
// that it has leases of, all at the same time, but each parent before its children.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "projection/follower.h"
#include "projection/leases.h"

namespace quire::projection {

// The status of a worker, for operators.
struct WorkerStatus {
  Phase phase = Phase::empty;
  std::uint64_t as_of_ms = 0;  // see as_of_ms(State, Stream)
  std::size_t shards = 0;      // followed by this worker
  std::string trouble = {};    // a sentence; empty: there is none
};

class Worker {
 public:
  struct Options {
    std::string projection;  // names the leases, together with the target's epoch
    std::string owner;       // names this worker among all
    Pace pace = {};
    Clock clock = system_ms;
    // Builds a target that was never built, if that takes a moment only. Whether it did. Called
    // once a minute at most.
    std::function<Awaitable<bool>()> begin = {};
  };

  // Source and target must outlive it.
  Worker(Source& source, Target& target, Options options);

  // Runs until stop(), and repeats failed work. On a loop of one thread. Frees the leases at the
  // end.
  Awaitable<void> run();
  // Thread-safe. run() returns soon, when the steps under way have ended.
  void stop() { stopping_ = true; }

  // Thread-safe.
  WorkerStatus status() const;
  const WorkerCounters& counters() const { return counters_; }

 private:
  Awaitable<void> look();
  Awaitable<bool> begin();
  Awaitable<Status> share(const State& state, const Stream& stream);
  void name_leases(const std::string& epoch);
  Awaitable<void> put(std::vector<LeaseBook::Wish> plan_changes);
  Awaitable<void> forget(const State& state, const Stream& stream);
  Awaitable<void> attend(State state, std::string shard);
  Awaitable<void> lose(std::string epoch, std::string why);
  void tell(const Result<State>& state, const Stream* stream, std::string trouble);

  Source& source_;
  Target& target_;
  Options options_;
  WorkerCounters counters_;
  Follower follower_;
  LeaseBook leases_;
  std::string leased_;               // the leases' name
  std::set<std::string> following_;  // shards
  std::string epoch_;                // of the state that is followed; empty: none is
  std::optional<std::chrono::steady_clock::time_point> begun_;  // the last call of `begin`
  bool hurry_ = false;                                          // a follower ended: look again soon
  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;
  WorkerStatus status_;  // guarded by mutex_
};

}  // namespace quire::projection
