// Questions by rank to the page index in Redis. Each question is one script, to the bucket of the
// product. A list of any rating is asked for as the union of its five lists of one rating.
#pragma once

#include <functional>

#include "page_index/page_index.h"
#include "page_index/redis/client/reply.h"
#include "page_index/redis/state.h"

namespace quire::redis {

class RedisRanks : public Ranks {
 public:
  // Calls a script in a bucket; see ListScripts.
  using Ask = std::function<Awaitable<Result<Reply>>(unsigned bucket, Call)>;

  RedisRanks(Keys keys, Ask ask) : keys_(std::move(keys)), ask_(std::move(ask)) {}

  Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                        std::span<const Cell> lists) override;
  Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view product, std::span<const RankRange> ranges) override;
  Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view product,
                                                      std::span<const Cell> lists,
                                                      const Ulid& id) override;
  // One script searches the lists as they are now, and ignores `length`.
  Awaitable<Result<Ulid>> nth_of_union(std::string_view product, std::span<const Cell> lists,
                                       std::uint64_t length, std::uint64_t n) override;

 private:
  std::vector<std::string> keys_of(std::string_view product, std::span<const Cell> lists) const;
  Awaitable<Result<Reply>> ask(const Script& script, std::string_view product,
                               std::span<const Cell> lists, std::vector<std::string> arguments);

  Keys keys_;
  Ask ask_;
};

}  // namespace quire::redis
