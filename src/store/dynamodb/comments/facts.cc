// What the shop tells of products: an item each, which the index `all` has by product.
#include <algorithm>
#include <iterator>
#include <map>

#include "model/validate.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/comments/batches.h"
#include "store/dynamodb/comments/view.h"
#include "store/dynamodb/comments/writes.h"
#include "store/dynamodb/items/conditions.h"
#include "store/dynamodb/items/facts_item.h"
#include "store/dynamodb/statistics/delta.h"

namespace quire::dynamodb {
namespace {

constexpr std::size_t facts_lanes = 16;  // that put facts at once

}  // namespace

Awaitable<Result<std::vector<std::optional<ProductFacts>>>> TableView::facts(
    std::vector<std::string> products) {
  std::map<std::string, std::optional<ProductFacts>> known;
  std::vector<Item> keys;
  for (const auto& product : products)
    if (known.try_emplace(product).second) keys.push_back(facts_key(product));
  auto found = co_await access_.loop.run(get_items(access_.client, std::move(keys)));
  if (!found) co_return found.error();
  consumed_ += found->consumed;
  for (const auto& item : found->items) {
    auto named = facts_in(item);
    if (named) known[named->product] = std::move(named->facts);
    if (!named)
      access_.damaged.note({item.at("PK").text + " " + item.at("SK").text,
                            "Its facts are not as Quire writes them."});
  }
  std::vector<std::optional<ProductFacts>> out;
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
    auto answer = co_await page(query(arguments));
    if (!answer) co_return answer.error();
    for (const auto& item : answer->items) {
      std::string name(text_of(item, sort_attribute).value_or(""));
      if (!check_product(name) && (names.empty() || names.back() < name))
        names.push_back(std::move(name));
    }
    if (!answer->last) break;
    std::string last(text_of(*answer->last, sort_attribute).value_or(""));
    if (last <= after) co_return damaged_answer();  // the query would never end
    after = std::move(last);
    arguments.start = std::move(answer->last);
  }
  co_return names;
}

Awaitable<Result<std::vector<std::string>>> TableView::names(std::string_view after,
                                                             std::size_t limit) {
  auto found =
      co_await access_.loop.run(registered_products(access_.client, std::string(after), limit));
  if (!found) co_return found.error();
  consumed_ += found->consumed;
  for (const auto& item : found->damaged) access_.damaged.note(item);
  auto others = co_await with_facts(std::string(after), limit);
  if (!others) co_return others.error();
  std::vector<std::string> names;
  std::set_union(found->names.begin(), found->names.end(), others->begin(), others->end(),
                 std::back_inserter(names));
  names.resize(std::min(names.size(), limit));
  co_return names;
}

Awaitable<Result<std::size_t>> Writes::put_facts(std::vector<NamedFacts> facts) {
  std::map<std::string, ProductFacts> left;  // of several of a product the last
  for (auto& named : facts) left.insert_or_assign(named.product, std::move(named.facts));
  std::vector<Awaitable<Result<std::size_t>>> works;
  for (std::size_t i = 0; i < std::min(left.size(), facts_lanes); ++i)
    works.push_back(put_facts_of(left));
  auto ended = co_await all(std::move(works));
  std::size_t fresh = 0;
  for (const auto& lane : ended) {
    if (!lane) co_return lane.error();
    fresh += *lane;
  }
  co_return fresh;
}

Awaitable<Result<std::size_t>> Writes::put_facts_of(std::map<std::string, ProductFacts>& left) {
  std::size_t fresh = 0;
  while (!left.empty()) {
    auto next = left.extract(left.begin());
    NamedFacts named{std::move(next.key()), std::move(next.mapped())};
    auto there = co_await client_.get(facts_key(named.product));
    if (!there) co_return there.error();
    auto item = facts_item(named);
    auto put = co_await client_.send(put_item(client_.table(), item, {}, Repeat::safe));
    if (put.failure) co_return error_of(*put.failure);
    fresh += !there->item.has_value();
  }
  co_return fresh;
}

Awaitable<Status> Writes::remove_facts(std::string product) {
  auto key = facts_key(product);
  auto there = co_await client_.get(key);
  if (!there) co_return there.error();
  if (!there->item)
    co_return Error{ErrorCode::not_found, "The shop tells nothing of this product."};
  auto removed = co_await client_.send(delete_item(client_.table(), key, {}, Repeat::safe));
  if (removed.failure) co_return error_of(*removed.failure);
  co_return Done{};
}

}  // namespace quire::dynamodb
