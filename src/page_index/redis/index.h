// The page index in Redis: each list is a sorted set; see docs/formats/pages-redis.md. One script
// makes all changes of a step, so Redis has all of them or none. At a failover or a crash Redis may
// lose its last writes: marks and members together. The worker goes on from the marks, so nothing
// is missing afterwards.
#pragma once

#include <memory>

#include "loop/loop.h"
#include "page_index/page_index.h"
#include "page_index/redis/address.h"
#include "page_index/redis/call.h"
#include "page_index/redis/keys.h"

namespace quire::redis {

class Client;
struct Reply;

// Thread-safe. Connects at the first call, and reconnects when a connection breaks. Every call ends
// within its deadline: 2 seconds for reads, 10 for writes and for each part of a reset.
class RedisIndex : public PageIndex {
 public:
  // `name` is the name of the table. It tells indexes on the same server apart.
  RedisIndex(RedisAddress address, std::string_view name);
  // No call may be running.
  ~RedisIndex() override;

  Awaitable<Result<change::State>> state() override;
  Awaitable<Result<bool>> apply(change::Step step) override;
  Awaitable<Status> reset(change::State state) override;
  Awaitable<Result<bool>> turn(std::string epoch, change::Phase from, change::Phase to) override;

  std::unique_ptr<Ranks> ranks() override;
  Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                       std::size_t limit) override;
  Awaitable<Result<std::vector<FacetValue>>> languages(std::string product) override;
  Awaitable<Status> put(std::vector<change::Change> changes) override;

 private:
  Awaitable<Result<Reply>> call(Call call);
  Awaitable<Result<Reply>> ask(std::vector<std::string> words, Milliseconds timeout);
  Awaitable<Result<bool>> decide(Call call);
  Awaitable<Result<std::vector<std::string>>> names(std::vector<std::string> words);
  Awaitable<Status> unlink_all(std::string word);

  Keys keys_;
  LoopThread loop_;
  std::unique_ptr<Client> client_;  // made and destroyed on the loop
};

}  // namespace quire::redis
