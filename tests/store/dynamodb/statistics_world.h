// The table's statistics over a service in memory, and what they must be, counted plainly.
#pragma once

#include "page_index/index_backend.h"
#include "service.h"
#include "store/dynamodb/parts.h"
#include "store/dynamodb/statistics.h"
#include "store/support.h"

namespace quire::dynamodb {

using Items = std::map<PlainTable::Key, Item>;

// Statistics, places in leaderboards and the registry, as the comments give them.
inline Items items_of(const PlainIndex& plain, std::size_t leaders = 1) {
  std::map<std::string, Totals> totals;
  for (const auto& [product, comments] : plain.products) {
    for (const auto& [id, cell] : comments) {
      for (FacetValue language : {any, cell[language_facet]})
        ++totals[product][language][cell[rating_facet] - 1];
    }
  }
  Items items;
  auto add = [&](const Item& item) { items.emplace(PlainTable::key_in(item), item); };
  for (const auto& [product, languages] : totals) {
    add(key_of(std::string(products_partition), product));
    for (const auto& [language, counts] : languages) {
      add(statistics_item(product, language, counts, leaders));
      add(average_item(product, language, counts, leaders).value());
    }
  }
  return items;
}

// All but the projection's own.
inline Items beside_marks(const PlainTable& table) {
  Items items = table.items;
  std::erase_if(items, [](const auto& row) { return row.first.first.starts_with("PROJECTION#"); });
  return items;
}

inline State following(std::map<std::string, Mark> marks = {}) {
  return {Phase::following, "e", "arn", std::move(marks)};
}

inline change::Change inserted(std::uint64_t number, std::string place = "1") {
  return {"42", id_at(1000, number), {}, cell("en", 5), std::move(place)};
}

// Changes of comments as a stream tells them, a record after the other; some are two, for a comment
// that is moved to another product.
class Recorder {
 public:
  explicit Recorder(std::uint64_t seed) : random(seed) {}

  std::mt19937_64 random;
  PlainIndex plain;  // after all of them
  std::size_t products = 5;

  std::vector<change::Change> records(std::size_t count) {
    std::vector<change::Change> all;
    for (; count > 0; --count) {
      auto changes = record();
      ++number_;
      for (auto& change : changes) {
        change.sequence = std::to_string(number_);
        all.push_back(std::move(change));
      }
    }
    return all;
  }
  std::string place() const { return number_ ? std::to_string(number_) : ""; }

 private:
  std::string product() { return "p/" + std::to_string(random() % products); }

  std::vector<change::Change> record() {
    std::string from = product(), to = product();
    auto at = plain.products.find(from);
    if (random() % 8 > 0 || at == plain.products.end() || to == from)
      return {plain.wander(random, from)};
    auto [id, cell] = *at->second.begin();
    std::vector<change::Change> moved{{from, id, cell, {}}, {to, id, {}, random_cell(random)}};
    plain.apply(moved);
    return moved;
  }

  std::uint64_t number_ = 0;
};

class StatisticsWorld {
 public:
  explicit StatisticsWorld(std::size_t leaders = 1)
      : parts({.table = "t",
               .region = "eu-west-1",
               .endpoint = {false, "localhost", "80"},
               .streams = {false, "localhost", "80"},
               .statistics = StatisticsBy::stream,
               .leaders = leaders},
              service.surroundings()) {}

  State state() { return wait(statistics.state()).value(); }
  Result<bool> apply(Step step) { return wait(statistics.apply(std::move(step))); }
  bool applied(Step step) { return apply(std::move(step)).value(); }
  bool turn(std::string epoch, Phase from, Phase to) {
    return wait(statistics.turn(std::move(epoch), from, to)).value();
  }
  Items items() { return beside_marks(service.table); }
  std::uint64_t comments(const std::string& product) {
    auto totals = totals_in(service.table, product);
    return totals.contains(any) ? std::accumulate(totals[any].begin(), totals[any].end(), 0u) : 0;
  }
  void reset(State state) { ASSERT_TRUE(wait(statistics.reset(std::move(state)))); }
  // Goes on where the shard is; again, until it is known that it was made.
  void follow(const std::string& shard, std::vector<change::Change> changes, Mark after) {
    for (int round = 0; round < 200; ++round) {
      auto is = wait(statistics.state());
      if (!is) continue;
      std::optional<Mark> before;
      if (auto at = is->marks.find(shard); at != is->marks.end()) before = at->second;
      if (before && before->read_to == after.read_to && before->ended == after.ended) return;
      // As a stream, it gives again what comes after the mark.
      std::vector<change::Change> left;
      for (const auto& change : changes) {
        bool done = before && !before->read_to.empty() &&
                    std::stoull(change.sequence) <= std::stoull(before->read_to);
        if (!done) left.push_back(change);
      }
      (void)apply(step_of(is->epoch, shard, before, after, std::move(left)));
    }
    FAIL() << "it was never made";
  }
  // What the service does with the next requests for one operation.
  void faults(std::string operation, std::vector<Fault> what) {
    service.fault = [=, next = std::size_t{0}](const std::string& asked, const auto&) mutable {
      return asked == operation && next < what.size() ? what[next++] : Fault::none;
    };
  }

  PlainService service;
  Parts parts;
  TableStatistics statistics{parts};
};

}  // namespace quire::dynamodb
