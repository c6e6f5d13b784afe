// What comments that come, go and move do to the statistics of their products, as actions of a
// transaction that fails if the statistics are not what they were believed to be. Nothing here
// sends anything.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/totals/totals_cache.h"

namespace quire::dynamodb {

class StatisticsDelta {
 public:
  // `before`: of every product that will be moved in; must outlive it. `shards`: of the
  // leaderboard.
  StatisticsDelta(const KnownTotals& before, std::size_t shards)
      : before_(before), shards_(shards) {}

  // A comment's cell was `from`, and is `to`; absent: it is in no list.
  void move(const std::string& product, const std::optional<Cell>& from,
            const std::optional<Cell>& to);

  // Items of statistics, leaderboard and registry, as they have to change.
  std::vector<Action> actions() const;
  // Of the products moved in, afterwards.
  std::map<std::string, Totals> totals() const;

 private:
  struct Row {
    Totals after;
    std::set<FacetValue> doubted;
  };
  void count(Row& row, const std::optional<Cell>& cell, int step);
  void add(std::vector<Action>& actions, const std::string& product, const Row& row) const;

  const KnownTotals& before_;
  std::size_t shards_;
  std::map<std::string, Row> rows_;
};

}  // namespace quire::dynamodb
