// The page index in Redis: each list a sorted set; see docs/formats/pages-redis.md. What belongs
// together is done by one script, so it is there whole or not at all.
// What Redis acknowledged and then forgot, at a failover or a crash, it forgot from the end: marks
// with members. The worker goes on from the marks, so nothing is missing afterwards.
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

// Thread-safe. Connects when it is first asked, and again when a connection breaks. Every call
// ends within its deadline: 2 seconds for reads, 10 for writes (each step of a reset).
class RedisIndex : public PageIndex {
 public:
  // `name` tells it from others on the same server: the table's.
  RedisIndex(RedisAddress address, std::string_view name);
  // No call of it may be under way.
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
  Awaitable<Result<Reply>> ask(std::vector<std::string> words, Milliseconds patience);
  Awaitable<Result<bool>> decide(Call call);
  Awaitable<Result<std::vector<std::string>>> names(std::vector<std::string> words);
  Awaitable<Status> unlink_all(std::string word);

  Keys keys_;
  Loop loop_;
  std::unique_ptr<Client> client_;  // lives and dies on the loop
};

}  // namespace quire::redis
