// How workers share shards without a common clock: a lease is alive as long as its beat changes, as
// the "lease counter" of Amazon's Kinesis Client Library does. Leases only save work: two workers
// at one shard do no harm, because the target's marks decide. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "projection/source.h"

namespace quire::projection {

class LeaseBook {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Wish {
    std::string shard;
    std::optional<Lease> before;
    std::optional<Lease> after;
  };

  LeaseBook(std::string owner, std::chrono::milliseconds takeover_after)
      : owner_(std::move(owner)), takeover_after_(takeover_after) {}

  // The leases to put, given all leases and the shards that can be read now: a beat for each of its
  // own; free and dead leases, up to a worker's share; one lease of a worker that has at least two
  // more; and removals of the leases of shards that are done.
  std::vector<Wish> plan_changes(const Leases& leases, const std::vector<std::string>& readable,
                                 Time now);
  // The outcome of a wish.
  void granted(const Wish& wish);
  void refused(const Wish& wish);

  const std::set<std::string>& held() const { return held_; }
  // Gives all of them back.
  std::vector<Wish> release_all() const;

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

}  // namespace quire::projection
