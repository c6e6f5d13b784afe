// Calls scripts of the page index, and knows what its buckets must have. A bucket that has another
// life, or fewer changes than are noted of it, has lost them: then the index is lost.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "page_index/redis/client/cluster.h"
#include "page_index/redis/keys.h"
#include "page_index/redis/state.h"

namespace quire::redis {

// Made, used and destroyed on one loop; not thread-safe.
class Buckets {
 public:
  Buckets(boost::asio::io_context& context, RedisAddress address, Keys keys)
      : cluster_(context, std::move(address)), keys_(std::move(keys)) {}

  const Keys& keys() const { return keys_; }

  using KnownState = std::shared_ptr<const Known>;
  // The state of the index, read now; and as it was read last.
  Awaitable<Result<KnownState>> read();
  Awaitable<Result<KnownState>> known();
  // The next known() reads anew.
  void forget() { known_.reset(); }
  // The state has these counts now; so known() does.
  using Counts = std::vector<std::pair<unsigned, std::uint64_t>>;  // bucket and count
  void learn(const Counts& counts);

  // Calls a script of BucketScripts or ListScripts, whose keys and arguments lack the first ones.
  // unavailable, too: the index is being reset; or the bucket lost changes, and the phase is `lost`
  // from then on.
  Awaitable<Result<Reply>> call(unsigned bucket, Call call);

  Awaitable<Result<bool>> turn(std::string epoch, change::Phase from, change::Phase to);

  // Calls a script whose keys and arguments are complete.
  Awaitable<Result<Reply>> call(Call call) { return cluster_.call(std::move(call)); }
  // Whether the reply is the number 1.
  Awaitable<Result<bool>> decide(Call call);
  // `words` is a command with keys of the slot of `key`.
  Awaitable<Result<Reply>> ask(std::string key, std::vector<std::string> words);

 private:
  Awaitable<Error> lose(KnownState known);

  Cluster cluster_;
  Keys keys_;
  KnownState known_;
};

Error being_reset();

}  // namespace quire::redis
