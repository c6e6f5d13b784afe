// Compares a product's statistics with a recount of its comments, and repairs them.
#include <algorithm>

#include "base/try.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/statistics/delta.h"
#include "store/dynamodb/statistics/statistics.h"
#include "store/dynamodb/totals/marks.h"

namespace quire::dynamodb {
namespace {

// The statistics, leaderboard entries and registry item that a product must have, by their keys.
std::map<Item, Item> wanted(const std::string& product, const Totals& totals, std::size_t shards) {
  std::map<Item, Item> items;
  auto add = [&](Item item) { items.emplace(key_in(item), std::move(item)); };
  bool registered = false;
  for (const auto& [language, counts] : totals) {
    auto average = average_item(product, language, counts, shards);
    if (!average) continue;
    add(std::move(*average));
    add(statistics_item(product, language, counts, shards));
    registered = true;
  }
  if (registered) add(key_of(std::string(products_partition), product));
  return items;
}

// The item is still the one that was read; null: it is still not there.
Expression as_read(const Item* item) {
  if (!item) return absent();
  std::vector<std::string> names;
  for (const auto& [name, value] : *item) {
    if (name != "PK" && name != "SK") names.push_back(name);
  }
  if (names.empty()) return {"attribute_exists(#k)", {{"#k", "PK"}}, {}};
  return unchanged(*item, names);
}

// Whether the item is of statistics or a leaderboard. Other programs may keep items beside them.
bool is_ours(const Item& item) {
  auto sort = text_of(item, "SK").value_or("");
  return sort == "S" || sort == "A" || sort.starts_with("S#") || sort.starts_with("A#");
}

struct Difference {
  Item key;
  const Item* is;  // null: there is none
  const Item* wanted;
};

std::vector<Difference> compare(const std::map<Item, Item>& are,
                                const std::map<Item, Item>& wanted) {
  std::vector<Difference> out;
  for (const auto& [key, item] : are) {
    auto at = wanted.find(key);
    if (at == wanted.end())
      out.push_back({key, &item, nullptr});
    else if (at->second != item)
      out.push_back({key, &item, &at->second});
  }
  for (const auto& [key, item] : wanted) {
    if (!are.contains(key)) out.push_back({key, nullptr, &item});
  }
  return out;
}

}  // namespace

Awaitable<Result<std::map<Item, Item>>> TableStatistics::items_of(std::string product) {
  std::map<Item, Item> items;
  CO_TRY(auto found,
         co_await access_.client.all(statistics_of(access_.client.table(), product, true),
                                     "the statistics of a product are damaged"));
  for (auto& item : found.items) {
    if (is_ours(item)) items.emplace(key_in(item), std::move(item));
  }
  Item key = key_of(std::string(products_partition), product);
  CO_TRY(auto row, co_await access_.client.get(key));
  if (row.item) items.emplace(key, std::move(*row.item));
  co_return items;
}

Awaitable<Result<std::vector<std::string>>> TableStatistics::differences(std::string product,
                                                                         Totals totals) {
  CO_TRY(auto are, co_await access_.loop.run(items_of(product)));
  auto should = wanted(product, totals, access_.address.leaders);
  std::vector<std::string> sentences;
  for (const auto& each : compare(are, should)) {
    std::string_view how = !each.is       ? " is missing."
                           : !each.wanted ? " counts no comments."
                                          : " is not what a recount gives.";
    sentences.push_back("Item " + name_of(each.key) + std::string(how));
  }
  co_return sentences;
}

Awaitable<Result<std::vector<std::string>>> TableStatistics::products(std::string after,
                                                                      std::size_t limit) {
  CO_TRY(auto found,
         co_await access_.loop.run(registered_products(access_.client, std::move(after), limit)));
  co_return std::move(found.names);
}

Awaitable<Status> TableStatistics::put(std::map<std::string, Totals> products, std::string epoch) {
  return access_.loop.run(replace(std::move(products), std::move(epoch)));
}

Awaitable<Status> TableStatistics::replace(std::map<std::string, Totals> products,
                                           std::string epoch) {
  std::vector<Awaitable<Result<std::map<Item, Item>>>> reads;
  for (const auto& [product, totals] : products) reads.push_back(items_of(product));
  auto found = co_await all(std::move(reads));
  std::vector<Action> actions;
  auto are = found.begin();
  for (const auto& [product, totals] : products) {
    if (!*are) co_return are->error();
    auto should = wanted(product, totals, access_.address.leaders);
    for (const auto& each : compare(**are++, should)) {
      auto kind = each.wanted ? Action::Kind::put : Action::Kind::remove;
      actions.push_back({kind, each.wanted ? *each.wanted : each.key, as_read(each.is)});
    }
  }
  auto replaced = co_await replace(std::move(actions), std::move(epoch));
  for (const auto& [product, totals] : products) access_.totals.forget(product);
  co_return replaced;
}

Awaitable<Status> TableStatistics::replace(std::vector<Action> actions, std::string epoch) {
  if (actions.empty()) co_return Done{};
  std::optional<Action> guard;
  if (!epoch.empty()) {
    CO_TRY(auto state, co_await read_state(access_.client));
    if (state.epoch != epoch) co_return epoch_ended();
    guard = require_state(statistics_projection, state);
  }
  for (std::size_t from = 0; from < actions.size(); from += max_actions - 1) {
    auto end = std::min(actions.size(), from + max_actions - 1);
    std::vector<Action> some(actions.begin() + static_cast<std::ptrdiff_t>(from),
                             actions.begin() + static_cast<std::ptrdiff_t>(end));
    if (guard) some.push_back(*guard);
    auto answer = co_await access_.client.send(transact(access_.client.table(), some));
    if (answer.failure) co_return error_of(*answer.failure);
  }
  co_return Done{};
}

}  // namespace quire::dynamodb
