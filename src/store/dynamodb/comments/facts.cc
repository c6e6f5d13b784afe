// What the shop tells of products: an item each, which the index `all` has by product.
#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "base/try.h"
#include "model/validate.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/comments/view.h"
#include "store/dynamodb/comments/writes.h"
#include "store/dynamodb/items/facts_item.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/statistics/delta.h"

namespace quire::dynamodb {
namespace {

constexpr std::size_t facts_lanes = 16;  // that put facts at once

// The item is as it was read, so that a change between loses nothing.
Expression still(const std::optional<Item>& item) {
  static const std::array<std::string, 1> facts = {"facts"};
  return item ? unchanged(*item, facts) : absent();
}

// Facts that a repair set aside are told no more.
bool is_told(const std::optional<Item>& item) {
  return item && is_facts(*item);
}

// Absent where they are damaged, too.
std::optional<ProductFacts> told_in(const std::optional<Item>& item) {
  auto named = is_told(item) ? facts_in(*item) : std::nullopt;
  if (!named) return {};
  return std::move(named->facts);
}

Error busy_facts() {
  return {ErrorCode::unavailable,
          "Other writes of the same facts got in the way. Try again in a moment."};
}

}  // namespace

Awaitable<Result<FoundFacts>> TableView::facts(std::vector<std::string> products) {
  FoundFacts out;
  std::map<std::string, std::optional<ProductFacts>> known;
  std::vector<Item> keys;
  for (const auto& product : products)
    if (known.try_emplace(product).second) keys.push_back(facts_key(product));
  CO_TRY(auto found, co_await access_.loop.run(get_items(access_.client, std::move(keys))));
  consumed_ += found.consumed;
  for (const auto& item : found.items) {
    if (!is_told(item)) continue;
    auto named = facts_in(item);
    if (named) {
      known[named->product] = std::move(named->facts);
      continue;
    }
    leave_out({name_of(item), "Its facts are not as Quire writes them."});
  }
  for (const auto& product : products) out.push_back(known[product]);
  co_return out;
}

Awaitable<Result<std::vector<std::string>>> TableView::with_facts(std::string after,
                                                                  std::size_t limit) {
  std::vector<std::string> names;
  QueryArguments arguments{.table = access_.client.table(),
                           .index = std::string(indexes.front().name),
                           .partition_name = std::string(partition_attributes.front()),
                           .partition = std::string(facts_partition)};
  if (!after.empty()) arguments.start = facts_start(after);
  while (names.size() < limit) {
    arguments.limit = limit - names.size();
    CO_TRY(auto answer, co_await page(query(arguments)));
    for (const auto& item : answer.items) {
      std::string name(text_of(item, sort_attribute).value_or(""));
      if (is_product_name(name) && (names.empty() || names.back() < name))
        names.push_back(std::move(name));
    }
    if (!answer.last) break;
    std::string last(text_of(*answer.last, sort_attribute).value_or(""));
    if (last <= after) co_return damaged_answer();  // the query would never end
    after = std::move(last);
    arguments.start = std::move(answer.last);
  }
  co_return names;
}

Awaitable<Result<std::vector<std::string>>> TableView::names(std::string_view after,
                                                             std::size_t limit) {
  CO_TRY(auto found,
         co_await access_.loop.run(registered_products(access_.client, std::string(after), limit)));
  consumed_ += found.consumed;
  for (const auto& item : found.damaged) leave_out(item);
  CO_TRY(auto others, co_await with_facts(std::string(after), limit));
  std::vector<std::string> names;
  std::set_union(found.names.begin(), found.names.end(), others.begin(), others.end(),
                 std::back_inserter(names));
  names.resize(std::min(names.size(), limit));
  co_return names;
}

Awaitable<Result<std::size_t>> Writes::put_facts(std::vector<NamedFacts> facts,
                                                 FactsCondition condition, Changed changed) {
  std::map<std::string, ProductFacts> left;  // of several of a product the last
  for (auto& named : facts) left.insert_or_assign(named.product, std::move(named.facts));
  std::vector<Awaitable<Result<std::size_t>>> works;
  for (std::size_t i = 0; i < std::min(left.size(), facts_lanes); ++i)
    works.push_back(put_left(left, condition, changed));
  auto ended = co_await all(std::move(works));
  std::size_t fresh = 0;
  for (const auto& lane : ended) {
    if (!lane) co_return lane.error();
    fresh += *lane;
  }
  co_return fresh;
}

Awaitable<Result<std::size_t>> Writes::put_left(std::map<std::string, ProductFacts>& left,
                                                const FactsCondition& condition,
                                                const Changed& changed) {
  std::size_t fresh = 0;
  while (!left.empty()) {
    auto next = left.extract(left.begin());
    NamedFacts named{std::move(next.key()), std::move(next.mapped())};
    CO_TRY(auto put, co_await put_facts_of(named, condition, changed));
    fresh += put;
  }
  co_return fresh;
}

Awaitable<Result<bool>> Writes::put_facts_of(const NamedFacts& named,
                                             const FactsCondition& condition,
                                             const Changed& changed) {
  auto key = facts_key(named.product);
  auto item = facts_item(named);
  bool unclear = false, fresh = false;
  for (int round = 0; round < max_rounds; ++round) {
    CO_TRY(auto there, co_await client_.get(key));
    bool same = there.item == item;
    if (same && unclear) co_return fresh;  // a try wrote it, whose answer was lost
    CO_TRY_DONE(condition.check(named.product, told_in(there.item)));
    if (same) co_return false;
    fresh = !is_told(there.item);
    auto put =
        co_await client_.send(put_item(client_.table(), item, still(there.item), Repeat::safe));
    changed(named.product);
    if (!put.failure) co_return fresh;
    if (put.failure->kind != FailureKind::condition) co_return error_of(*put.failure);
    unclear = unclear || put.unclear;
    co_await client_.pause(round);
  }
  co_return busy_facts();
}

Awaitable<Status> Writes::remove_facts(std::string product, FactsCondition condition) {
  auto key = facts_key(product);
  bool unclear = false;
  for (int round = 0; round < max_rounds; ++round) {
    CO_TRY(auto there, co_await client_.get(key));
    if (!there.item && unclear) co_return Done{};  // a try removed it, whose answer was lost
    CO_TRY_DONE(condition.check(product, told_in(there.item)));
    if (!is_told(there.item))
      co_return Error{ErrorCode::not_found, "The shop tells nothing of this product."};
    auto removed =
        co_await client_.send(delete_item(client_.table(), key, still(there.item), Repeat::safe));
    if (!removed.failure) co_return Done{};
    if (removed.failure->kind != FailureKind::condition) co_return error_of(*removed.failure);
    unclear = unclear || removed.unclear;
    co_await client_.pause(round);
  }
  co_return busy_facts();
}

}  // namespace quire::dynamodb
