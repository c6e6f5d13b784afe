// The buckets of a page index. Calls their scripts, and knows what each must have: a bucket that
// has another life, or fewer changes than are noted of it, has lost them, and then the index is
// lost. Steps and resets change buckets together.
#pragma once

#include <boost/asio/io_context.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "change/target.h"
#include "page_index/redis/client/cluster.h"
#include "page_index/redis/state.h"

namespace quire::redis {

// Made, used and destroyed on one loop; not thread-safe.
class Buckets {
 public:
  Buckets(boost::asio::io_context& context, RedisAddress address, Keys keys)
      : cluster_(context, std::move(address)), keys_(std::move(keys)) {}

  const Keys& keys() const { return keys_; }

  using SharedState = std::shared_ptr<const KnownState>;
  // The state of the index, read now.
  Awaitable<Result<SharedState>> read();
  // The next call reads the state anew.
  void forget() { known_.reset(); }
  // The state of this life has these counts now.
  void learn(const std::string& life, const BucketCounts& counts);

  // How many changes a bucket of this life must have, at least.
  struct Floor {
    std::string life;
    std::uint64_t count = 0;
  };

  // How long a node has to learn that another took its place, before its word is taken that changes
  // are lost.
  static constexpr Milliseconds before_lost{200};

  // Calls a script of BucketScripts or ListScripts, whose keys and arguments lack the first ones.
  // A script that writes is given a floor that was read after the caller began. One that reads
  // goes by a state that was read after the bucket's node was connected to. unavailable, too: the
  // index is being reset, or is gone; or the bucket lost changes, and the phase is `lost` from then
  // on.
  Awaitable<Result<Reply>> call_bucket(unsigned bucket, Call call, Floor floor);
  Awaitable<Result<Reply>> call_bucket(unsigned bucket, Call call) {
    return call_bucket(bucket, std::move(call), Floor());
  }

  Awaitable<Result<bool>> change_phase(std::string epoch, change::Phase from, change::Phase to);

  // Calls a script whose keys and arguments are complete.
  Awaitable<Result<Reply>> send(Call call) {
    auto deadline = std::chrono::steady_clock::now() + call.timeout();
    return cluster_.call(std::move(call), deadline);
  }
  // Whether the reply is the number 1.
  Awaitable<Result<bool>> decide(Call call);

 private:
  // The state as it was read last, if Redis was asked for it no earlier than `since`; otherwise it
  // is read, once for all who ask at the same time.
  Awaitable<Result<SharedState>> known(Deadline since);
  Awaitable<Error> lose(SharedState known);

  struct StateQuestion {
    Deadline at;
    std::optional<Result<SharedState>> answer = {};
  };

  Cluster cluster_;
  Keys keys_;
  SharedState known_;
  std::shared_ptr<StateQuestion> asked_;  // for the state, by known()
  bool lived_ = false;                    // the index had a life
};

Error being_reset();

// See Target::reset(). First removes the epoch, so no step is begun until it ends. Then each bucket
// takes the number of the reset as its life, and is emptied. Of two resets at once the later one
// has the larger number, and wins.
Awaitable<Status> reset(Buckets& buckets, change::State state);

// See Target::apply(). Where another's step of the shard is open, completes that one instead.
Awaitable<Result<bool>> apply(Buckets& buckets, change::Step step);

// See PageIndex::put().
Awaitable<Status> put(Buckets& buckets, std::vector<change::Change> changes);

}  // namespace quire::redis
