// The page index in Redis, one server or a cluster: each list is some sorted sets; see
// docs/formats/pages-redis.md. The products are in buckets. A step is kept whole before the first
// bucket changes, so the next worker can complete it; its mark moves when all buckets have it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loop/loop.h"
#include "model/facets.h"
#include "page_index/page_index.h"
#include "page_index/redis/buckets.h"
#include "page_index/redis/client/address.h"
#include "page_index/redis/state.h"

namespace quire::redis {

class Buckets;

// Thread-safe. Connects at the first call, and reconnects when a connection breaks. Every request
// to Redis ends within its deadline: 2 seconds for reads, 10 for writes; an operation takes a few.
class RedisIndex : public PageIndex {
 public:
  // `name` is the name of the table. It tells indexes on the same server apart.
  RedisIndex(RedisAddress address, std::string_view name);
  // No call may be running.
  ~RedisIndex() override;

  Awaitable<Result<change::State>> state() override;
  Awaitable<Result<bool>> apply(change::Step step) override;
  Awaitable<Status> reset(change::State state) override;
  Awaitable<Result<bool>> change_phase(std::string epoch, change::Phase from,
                                       change::Phase to) override;

  std::unique_ptr<Ranks> ranks() override;
  Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                       std::size_t limit) override;
  Awaitable<Result<std::vector<FacetValue>>> languages(std::string product) override;
  // All or nothing in each product.
  Awaitable<Status> put(std::vector<change::Change> changes) override;

 private:
  Keys keys_;
  LoopThread loop_;
  std::unique_ptr<Buckets> buckets_;  // used on the loop alone
};

// The names of the products and languages that the page index in Redis has. See PageIndex. Asks
// each bucket for a few products, and again those that have more.
Awaitable<Result<std::vector<std::string>>> products(Buckets& buckets, std::string after,
                                                     std::size_t limit);

Awaitable<Result<std::vector<FacetValue>>> languages(Buckets& buckets, std::string product);

}  // namespace quire::redis
