#include "page_index/redis/index.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/try.h"
#include "page_index/redis/client/reply.h"
#include "page_index/redis/ranks.h"
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

using Names = std::vector<std::string>;

Awaitable<Result<Names>> names(Buckets& buckets, unsigned bucket, std::string key,
                               std::string first, std::string last, std::size_t limit) {
  Call call{bucket_scripts().names,
            {std::move(key)},
            {std::move(first), std::move(last), std::to_string(limit)}};
  CO_TRY(auto reply, co_await buckets.call_bucket(bucket, std::move(call)));
  auto names = words_of(std::move(reply));
  if (!names) co_return unexpected_answer();
  co_return std::move(*names);
}

// The first products of some buckets.
Awaitable<Result<std::vector<Names>>> first_products(Buckets& buckets, std::vector<unsigned> of,
                                                     std::string after, std::size_t limit) {
  std::vector<Awaitable<Result<Names>>> works;
  for (auto bucket : of) {
    auto key = buckets.keys().bucket(bucket).products();
    works.push_back(names(buckets, bucket, std::move(key), "(" + after, "+", limit));
  }
  std::vector<Names> out;
  auto found = co_await all(std::move(works));
  for (auto& each : found) {
    if (!each) co_return each.error();
    out.push_back(std::move(*each));
  }
  co_return out;
}

// The first `limit` of all, sorted.
Names merged(const std::vector<Names>& lists, std::size_t limit) {
  Names all;
  for (const auto& names : lists) all.insert(all.end(), names.begin(), names.end());
  std::sort(all.begin(), all.end());
  if (all.size() > limit) all.resize(limit);
  return all;
}

}  // namespace

Awaitable<Result<Names>> products(Buckets& buckets, std::string after, std::size_t limit) {
  const auto few = std::min(limit, 8 + 2 * limit / bucket_count);
  std::vector<unsigned> every(bucket_count);
  for (unsigned bucket = 0; bucket < bucket_count; ++bucket) every[bucket] = bucket;
  CO_TRY(auto found, co_await first_products(buckets, every, after, few));
  auto first = merged(found, limit);
  if (few == limit) co_return first;
  // Those that have more before the last name.
  std::vector<unsigned> more;
  for (auto bucket : every) {
    const auto& names = found[bucket];
    if (names.size() == few && (first.size() < limit || names.back() < first.back()))
      more.push_back(bucket);
  }
  if (more.empty()) co_return first;
  CO_TRY(auto rest, co_await first_products(buckets, more, after, limit));
  for (std::size_t i = 0; i < more.size(); ++i) found[more[i]] = std::move(rest[i]);
  co_return merged(found, limit);
}

Awaitable<Result<std::vector<FacetValue>>> languages(Buckets& buckets, std::string product) {
  constexpr std::size_t all = 1 << 20;
  auto bucket = bucket_of(product);
  std::string begin = list_key(product, {}) + "/", end = begin;
  ++end.back();
  auto key = buckets.keys().bucket(bucket).languages();
  CO_TRY(auto lists, co_await names(buckets, bucket, std::move(key), "(" + begin, "(" + end, all));
  std::vector<FacetValue> languages;
  for (std::string_view list : lists) {
    if (!list.starts_with(begin)) co_return unexpected_answer();
    auto value = list_facets[language_facet].parse(list.substr(begin.size()));
    if (!value) co_return unexpected_answer();
    languages.push_back(*value);
  }
  co_return languages;
}

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
  CO_TRY(auto known, co_await loop_.run(buckets_->read()));
  co_return known->state;
}

Awaitable<Result<bool>> RedisIndex::apply(Step step) {
  return loop_.run(redis::apply(*buckets_, std::move(step)));
}

Awaitable<Status> RedisIndex::put(std::vector<change::Change> changes) {
  return loop_.run(redis::put(*buckets_, std::move(changes)));
}

Awaitable<Result<bool>> RedisIndex::change_phase(std::string epoch, Phase from, Phase to) {
  return loop_.run(buckets_->change_phase(std::move(epoch), from, to));
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
