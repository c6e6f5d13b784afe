// How a batch of inserted, changed and removed comments changes the statistics of their products:
// as actions of a transaction that fails if the statistics are not those expected. Nothing here
// sends anything.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "change/target.h"
#include "dynamodb/table_client.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/reading.h"
#include "store/dynamodb/totals/totals_cache.h"

namespace quire::dynamodb {

// The registry of products that have comments, as it is read from the table.
struct RegisteredProducts {
  std::vector<std::string> names;  // in byte order
  std::vector<Damage> damaged;     // items that were passed over
  double consumed = 0;             // read units
};

// At most `limit` products with valid names after `after`. Fewer than `limit` are all that follow.
// Runs on the client's loop.
Awaitable<Result<RegisteredProducts>> registered_products(TableClient& client, std::string after,
                                                          std::size_t limit);

// How many of the changes fit a transaction together, from the first on: at least those of the
// first record, as changes of one record stay together. `max_actions` are for statistics, averages,
// registry, and `per_comment` actions for each comment. A comment that changes its language changes
// the statistics and averages of two languages and of all together, and perhaps the registry.
std::size_t fitting(std::span<const change::Change> changes, std::size_t max_actions,
                    std::size_t per_comment = 0);

class StatisticsDelta {
 public:
  // `before`: the expected totals of every product given to move(); must outlive this. `shards`: of
  // each leaderboard.
  StatisticsDelta(const KnownTotals& before, std::size_t shards)
      : before_(before), shards_(shards) {}

  // A comment's cell changes from `from` to `to`; absent: the comment is not there. A change of
  // attributes alone, which leaves the cell, counts nothing.
  void move(const std::string& product, const std::optional<Cell>& from,
            const std::optional<Cell>& to);

  // Puts and removals of items of statistics, leaderboards and registry.
  std::vector<Action> actions() const;
  // The totals of all products given to move(), afterwards.
  std::map<std::string, Totals> totals() const;

 private:
  struct Outcome {
    Totals after;
    std::set<FacetValue> doubtful;
  };
  void count(Outcome& outcome, const std::optional<Cell>& cell, int step);
  void add(std::vector<Action>& actions, const std::string& product, const Outcome& outcome) const;

  const KnownTotals& before_;
  std::size_t shards_;
  std::map<std::string, Outcome> outcomes_;
};

}  // namespace quire::dynamodb
