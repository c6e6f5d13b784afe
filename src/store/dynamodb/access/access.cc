#include "store/dynamodb/access/access.h"

#include <algorithm>
#include <iterator>
#include <random>

#include "base/clock.h"
#include "base/try.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/queue_items.h"

namespace quire::dynamodb {
namespace {

constexpr std::size_t swept_at_once = 200;
constexpr std::size_t concurrent_removals = 16;

double chance() {
  thread_local std::mt19937_64 random(std::random_device{}());
  return std::uniform_real_distribution<double>(0, 1)(random);
}

Provider::Sources sources(LoopThread& loop) {
  auto exchange = [&loop](HttpOrigin origin, HttpRequest request,
                          Deadline deadline) -> Awaitable<Result<HttpResponse>> {
    HttpClient once(loop.context(), std::move(origin));
    co_return co_await once.send(std::move(request), deadline);
  };
  auto [environment, read_file] = system_configuration();
  return {environment, read_file, exchange, system_ms, run_process};
}

Awaitable<Status> remove_items(TableClient& client, std::vector<Item> keys) {
  for (auto next = keys.begin(); next != keys.end();) {
    std::vector<Awaitable<Answer>> works;
    for (; next != keys.end() && works.size() < concurrent_removals; ++next)
      works.push_back(client.send(delete_item(client.table(), *next, {}, Repeat::safe)));
    auto answers = co_await all(std::move(works));
    for (const auto& answer : answers)
      if (answer.failure) co_return error_of(*answer.failure);
  }
  co_return Done{};
}

constexpr int max_batch_rounds = 6;  // that bring nothing, of one batch
constexpr std::size_t batches_at_once = 4;

Error overloaded() {
  return {ErrorCode::unavailable, "The table does not answer in full now. Try again in a moment."};
}

Awaitable<Result<ItemsAnswer>> get_batch(TableClient& client, std::vector<Item> keys) {
  ItemsAnswer out;
  for (int round = 0; !keys.empty();) {
    Answer answer = co_await client.send(batch_get(client.table(), keys));
    if (answer.failure) co_return error_of(*answer.failure);
    auto found = decode_batch(answer.body, client.table());
    if (!found) co_return damaged_answer();
    client.metrics().add_consumed(found->consumed);
    out.consumed += found->consumed;
    std::move(found->items.begin(), found->items.end(), std::back_inserter(out.items));
    round = found->undone.size() < keys.size() ? 0 : round + 1;
    keys = std::move(found->undone);
    if (keys.empty()) break;
    if (round == max_batch_rounds) co_return overloaded();
    co_await client.pause(round);
  }
  co_return out;
}

}  // namespace

Surroundings surroundings(HttpClient& http_client, Provider& provider) {
  return {[&](HttpRequest request, Deadline deadline) {
            return http_client.send(std::move(request), deadline);
          },
          [&](std::string refused) { return provider.get(std::move(refused)); }, system_ms, chance,
          pause};
}

TableAccess::TableAccess(const Address& address, std::optional<Surroundings> instead)
    : address(address),
      http_client(loop.context(), address.endpoint),
      provider(sources(loop), address.profile, address.region),
      client(address, instead ? std::move(*instead) : surroundings(http_client, provider)),
      present_stream(client),
      freshness(client, present_stream),
      totals(client, address.statistics == StatisticsBy::stream ? &freshness : nullptr),
      empty_lists(address.skip_empty),
      facets(client),
      parts(client) {}

Awaitable<Status> look_at_lists(TableAccess& access) {
  std::optional<Failure> last;
  std::size_t full = 0;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    QueryArguments arguments{.table = access.client.table(),
                             .index = std::string(indexes[i].name),
                             .partition_name = std::string(partition_attributes[i]),
                             .partition = "READY",
                             .limit = 1};
    auto answer = co_await access.client.send(query(arguments));
    bool filling = answer.failure && answer.failure->kind == FailureKind::filling;
    if (answer.failure && !filling) co_return error_of(*answer.failure);
    access.filling.note(i, filling);
    if (filling) last = std::move(answer.failure);
    full += !filling;
  }
  if (full == 0) co_return error_of(*last);
  co_return Done{};
}

Awaitable<Result<bool>> sweep_comment(TableClient& client, Ulid id) {
  QueryArguments arguments{.table = client.table(),
                           .partition_name = "PK",
                           .partition = comment_key(id).at("PK").text,
                           .sort_name = "SK",
                           .limit = swept_at_once,
                           .consistent = true};
  arguments.sort_from = string(std::string(vote_prefix));
  arguments.sort_to = string(std::string(vote_prefix) + "~");
  CO_TRY(auto votes, co_await client.page(query(arguments)));
  std::vector<Item> keys;
  for (const auto& item : votes.items)
    keys.push_back(key_of(item.at("PK").text, item.at("SK").text));
  CO_TRY_DONE(co_await remove_items(client, std::move(keys)));
  if (votes.last) co_return true;
  CO_TRY(auto there, co_await client.get(comment_key(id)));
  std::vector<Item> last = {sweep_key(id)};
  bool gone = !there.item || is_removed(*there.item);
  if (gone) last.insert(last.begin(), reports_key(id));
  for (auto& key : last) {
    auto answer = co_await client.send(delete_item(client.table(), key, {}, Repeat::safe));
    if (answer.failure) co_return error_of(*answer.failure);
  }
  co_return false;
}

Awaitable<Result<bool>> is_unswept(TableClient& client, Ulid id) {
  CO_TRY(auto marked, co_await client.get(sweep_key(id)));
  co_return marked.item.has_value();
}

Awaitable<Result<bool>> sweep_some(TableClient& client) {
  QueryArguments arguments{.table = client.table(),
                           .index = std::string(indexes.front().name),
                           .partition_name = std::string(queue_attribute),
                           .partition = std::string(sweep_partition),
                           .limit = 2};
  CO_TRY(auto found, co_await client.page(query(arguments)));
  for (const auto& item : found.items) {
    auto id = comment_of_partition(item);
    if (!id) continue;
    // The index is a moment behind: a swept comment may have votes again.
    CO_TRY(auto marked, co_await is_unswept(client, *id));
    if (!marked) continue;
    CO_TRY(auto more, co_await sweep_comment(client, *id));
    co_return more || found.items.size() > 1;
  }
  co_return false;
}

Awaitable<Result<ItemsAnswer>> get_items(TableClient& client, std::vector<Item> keys) {
  ItemsAnswer out;
  for (auto from = keys.begin(); from != keys.end();) {
    std::vector<Awaitable<Result<ItemsAnswer>>> works;
    while (from != keys.end() && works.size() < batches_at_once) {
      auto size = std::min<std::ptrdiff_t>(keys.end() - from, max_batch_keys);
      std::vector<Item> batch(std::make_move_iterator(from), std::make_move_iterator(from + size));
      works.push_back(get_batch(client, std::move(batch)));
      from += size;
    }
    auto answers = co_await all(std::move(works));
    for (auto& answer : answers) {
      if (!answer) co_return answer.error();
      out.consumed += answer->consumed;
      std::move(answer->items.begin(), answer->items.end(), std::back_inserter(out.items));
    }
  }
  co_return out;
}

}  // namespace quire::dynamodb
