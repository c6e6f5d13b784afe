// The table's statistics at a service in memory, and a plain recount of them.
#pragma once

#include "page_index/index_backend.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/service.h"
#include "store/dynamodb/statistics/statistics.h"
#include "store/support.h"

namespace quire::dynamodb {

using Items = std::map<PlainTable::Key, Item>;

// Statistics, leaderboard entries and the registry, counted from the comments.
inline Items items_of(const PlainCells& plain, std::size_t leaders = 1) {
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

// All items but the projection's state and marks.
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

// Random changes of comments as a stream has them, record after record. Some records have two: of a
// comment that is moved to another product.
class Recorder {
 public:
  explicit Recorder(std::uint64_t seed) : random(seed) {}

  std::mt19937_64 random;
  PlainCells plain;  // after all of them
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
      : access({.table = "t",
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
    return wait(statistics.change_phase(std::move(epoch), from, to)).value();
  }
  Items items() { return beside_marks(service.table); }
  std::uint64_t comments(const std::string& product) {
    auto totals = totals_in(service.table, product);
    return totals.contains(any) ? std::accumulate(totals[any].begin(), totals[any].end(), 0u) : 0;
  }
  void reset(State state) { ASSERT_TRUE(wait(statistics.reset(std::move(state)))); }
  // Makes a step from the shard's present mark, and repeats it until the state shows that it was
  // made.
  void follow(const std::string& shard, std::vector<change::Change> changes, Mark after) {
    for (int round = 0; round < 200; ++round) {
      auto is = wait(statistics.state());
      if (!is) continue;
      std::optional<Mark> before;
      if (auto at = is->marks.find(shard); at != is->marks.end()) before = at->second;
      if (before && before->read_to == after.read_to && before->ended == after.ended) return;
      // As a stream does, gives the changes after the mark again.
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
  // The faults of the next requests of one operation.
  void faults(std::string operation, std::vector<Fault> what) {
    service.fault = [=, next = std::size_t{0}](const std::string& asked, const auto&) mutable {
      return asked == operation && next < what.size() ? what[next++] : Fault::none;
    };
  }

  PlainService service;
  TableAccess access;
  TableStatistics statistics{access};
};

}  // namespace quire::dynamodb
