#include "page_index/redis/index.h"

#include <boost/asio/post.hpp>
#include <future>

#include "model/facets.h"
#include "page_index/redis/buckets.h"
#include "page_index/redis/client/reply.h"
#include "page_index/redis/names.h"
#include "page_index/redis/ranks.h"

namespace quire::redis {

namespace asio = boost::asio;
using change::Phase;
using change::State;
using change::Step;

RedisIndex::RedisIndex(RedisAddress address, std::string_view name)
    : keys_(name),
      buckets_(std::make_unique<Buckets>(loop_.context(), std::move(address), keys_)) {}

RedisIndex::~RedisIndex() {
  std::packaged_task<void()> end([this] { buckets_.reset(); });
  auto ended = end.get_future();
  asio::post(loop_.context(), [end = std::move(end)]() mutable { end(); });
  ended.wait();
}

Awaitable<Result<State>> RedisIndex::state() {
  auto known = co_await loop_.run(buckets_->read());
  if (!known) co_return known.error();
  co_return (*known)->state;
}

Awaitable<Result<bool>> RedisIndex::apply(Step step) {
  return loop_.run(redis::apply(*buckets_, std::move(step)));
}

Awaitable<Status> RedisIndex::put(std::vector<change::Change> changes) {
  return loop_.run(redis::put(*buckets_, std::move(changes)));
}

Awaitable<Result<bool>> RedisIndex::turn(std::string epoch, Phase from, Phase to) {
  return loop_.run(buckets_->turn(std::move(epoch), from, to));
}

Awaitable<Status> RedisIndex::reset(State state) {
  return loop_.run(redis::reset(*buckets_, std::move(state)));
}

std::unique_ptr<Ranks> RedisIndex::ranks() {
  auto ask = [this](unsigned bucket, Call call) {
    return loop_.run(buckets_->call_bucket(bucket, std::move(call)));
  };
  return std::make_unique<RedisRanks>(keys_, std::move(ask));
}

Awaitable<Result<std::vector<std::string>>> RedisIndex::products(std::string after,
                                                                 std::size_t limit) {
  return loop_.run(redis::products(*buckets_, std::move(after), limit));
}

Awaitable<Result<std::vector<FacetValue>>> RedisIndex::languages(std::string product) {
  return loop_.run(redis::languages(*buckets_, std::move(product)));
}

}  // namespace quire::redis
