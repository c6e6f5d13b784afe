// Questions by rank to the page index in Redis. Each question is one script.
#pragma once

#include <functional>

#include "page_index/ranks.h"
#include "page_index/redis/call.h"
#include "page_index/redis/keys.h"
#include "page_index/redis/reply.h"

namespace quire::redis {

class RedisRanks : public Ranks {
 public:
  using Ask = std::function<Awaitable<Result<Reply>>(Call)>;

  RedisRanks(Keys keys, Ask ask) : keys_(std::move(keys)), ask_(std::move(ask)) {}

  Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                        std::span<const Cell> lists) override;
  Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view product, std::span<const RankRange> ranges) override;
  Awaitable<Result<std::vector<Probe>>> probe(std::string_view product, std::span<const Cell> lists,
                                              std::span<const Pivot> pivots) override;
  // One script searches the lists as they are now, and ignores `lengths`.
  Awaitable<Result<FoundNth>> nth_of_union(std::string_view product, std::span<const Cell> lists,
                                           std::span<const std::uint64_t> lengths,
                                           std::uint64_t n) override;

 private:
  Call call_of(const Script& script, std::string_view product, std::span<const Cell> lists) const;

  Keys keys_;
  Ask ask_;
};

}  // namespace quire::redis
