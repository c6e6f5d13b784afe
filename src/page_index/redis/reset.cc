#include "page_index/redis/buckets.h"

#include "base/clock.h"
#include "loop/loop.h"
#include "model/facets.h"
#include "page_index/redis/client/errors.h"
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

// Of products, and of languages, at a time. Redis removes their lists within a few ms.
constexpr std::size_t names_at_once = 200;

Error reset_lost() {
  return unavailable(
      "Another process emptied the page index at the same time, or Redis lost its data. Try "
      "again.");
}

std::optional<std::vector<std::string>> words_of(const Reply& reply) {
  std::vector<std::string> words;
  if (!reply.is(Reply::Kind::list)) return {};
  for (const auto& each : reply.list) {
    if (!each.is(Reply::Kind::bytes)) return {};
    words.push_back(each.bytes);
  }
  return words;
}

// The call that removes the lists of these names.
Call unlink_call(const Bucket& bucket, const std::string& number,
                 const std::vector<std::string>& products,
                 const std::vector<std::string>& languages) {
  Call call{reset_scripts().unlink,
            {bucket.state(), bucket.products(), bucket.languages()},
            {number, std::to_string(products.size())},
            Call::writes};
  auto unlink = [&](const std::string& note, const std::string& name) {
    for (auto& key : bucket.lists(name)) call.keys.push_back(std::move(key));
    call.arguments.push_back(note);
  };
  for (const auto& product : products) unlink(product, list_key(product, {}));
  for (const auto& language : languages) unlink(language, language);
  return call;
}

Awaitable<Status> empty(Buckets& buckets, unsigned number_of_bucket, std::string number) {
  auto bucket = buckets.keys().bucket(number_of_bucket);
  for (;;) {
    Call look{reset_scripts().empty,
              {bucket.state(), bucket.fences(), bucket.products(), bucket.languages()},
              {number, std::to_string(names_at_once)},
              Call::writes};
    auto reply = co_await buckets.send(std::move(look));
    if (!reply) co_return reply.error();
    if (reply->is(Reply::Kind::number)) co_return reset_lost();
    if (reply->list.size() != 2) co_return unexpected_answer();
    auto products = words_of(reply->list[0]), languages = words_of(reply->list[1]);
    if (!products || !languages) co_return unexpected_answer();
    if (products->empty() && languages->empty()) co_return Done{};
    auto unlinked = co_await buckets.decide(unlink_call(bucket, number, *products, *languages));
    if (!unlinked) co_return unlinked.error();
    if (!*unlinked) co_return reset_lost();
  }
}

Call end_call(const Keys& keys, const std::string& number, const change::State& state) {
  Call end{state_scripts().end_reset,
           {keys.state(), keys.marks(), keys.counts(), keys.open(), keys.steps()},
           {number, std::string(format), state.epoch, phase_text(state.phase), state.stream},
           Call::writes};
  for (const auto& [shard, mark] : state.marks) {
    end.arguments.push_back(shard);
    end.arguments.push_back(mark_text(mark));
  }
  return end;
}

}  // namespace

Awaitable<Status> reset(Buckets& buckets, change::State state) {
  Call begin{state_scripts().begin_reset,
             {buckets.keys().state()},
             {std::to_string(system_ms())},
             Call::writes};
  auto begun = co_await buckets.send(std::move(begin));
  buckets.forget();
  if (!begun) co_return begun.error();
  if (!begun->is(Reply::Kind::bytes)) co_return unexpected_answer();
  const std::string number = begun->bytes;
  std::vector<Awaitable<Status>> works;
  for (unsigned bucket = 0; bucket < bucket_count; ++bucket)
    works.push_back(empty(buckets, bucket, number));
  auto emptied = co_await all(std::move(works));
  for (const auto& each : emptied) {
    if (!each) co_return each.error();
  }
  auto ended = co_await buckets.decide(end_call(buckets.keys(), number, state));
  buckets.forget();
  if (!ended) co_return ended.error();
  if (!*ended) co_return reset_lost();
  co_return Done{};
}

}  // namespace quire::redis
