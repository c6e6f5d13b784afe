// Keeps one target in step with the table's stream, together with other workers. Follows the shards
// that it has leases of, all at the same time, but each parent before its children.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "projection/follower.h"
#include "projection/source.h"

namespace quire::projection {

// How workers share shards without a common clock: a lease is alive as long as its beat changes, as
// the "lease counter" of Amazon's Kinesis Client Library does. Leases only save work: two workers
// at one shard do no harm, because the target's marks decide. Pure.
class LeaseBook {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct LeaseChange {
    std::string shard;
    std::optional<Lease> before;
    std::optional<Lease> after;
  };

  LeaseBook(std::string owner, std::chrono::milliseconds takeover_after)
      : owner_(std::move(owner)), takeover_after_(takeover_after) {}

  // The leases to put, given all leases and the shards that can be read now: a beat for each of its
  // own; free and dead leases, up to a worker's share; one lease of a worker that has at least two
  // more; and removals of the leases of shards that are done.
  std::vector<LeaseChange> plan_changes(const Leases& leases,
                                        const std::vector<std::string>& readable, Time now);
  // The outcome of a change.
  void granted(const LeaseChange& change);
  void refused(const LeaseChange& change);

  const std::set<std::string>& held() const { return held_; }
  // Gives all of them back.
  std::vector<LeaseChange> release_all() const;

 private:
  struct Seen {
    Lease lease;
    Time since;
  };
  bool alive(const std::string& shard, const Lease& lease, Time now);
  std::size_t share(const Leases& leases, std::size_t shards, Time now);

  std::string owner_;
  std::chrono::milliseconds takeover_after_;
  std::map<std::string, Seen> seen_;
  std::set<std::string> held_;
  std::map<std::string, Lease> own_;  // as this worker put them last
};

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
    // Whether it is also called where the stream no longer has the records that come next; and
    // where it did not, with each beat.
    bool begins_again = false;
    // What to do then, for people.
    std::string remedy = "Run quire backfill.";
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
  Awaitable<void> round();
  Awaitable<bool> begin();
  Awaitable<Status> share(const State& state, const Stream& stream);
  void name_leases(const std::string& epoch);
  Awaitable<void> put(std::vector<LeaseBook::LeaseChange> changes);
  Awaitable<void> forget(const State& state, const Stream& stream);
  Awaitable<void> follow_shard(State state, std::string shard);
  Awaitable<void> mark_lost(std::string epoch, std::string why);
  void set_status(const Result<State>& state, const Stream* stream, std::string trouble);

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
