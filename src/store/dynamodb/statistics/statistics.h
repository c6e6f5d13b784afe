// The table's statistics as a target of a projection: counts, leaderboards and the registry of
// products follow the stream, and each step is one transaction with its mark. Format of the marks:
// docs/formats/table.md
#pragma once

#include <set>
#include <string>
#include <vector>

#include "loop/gate.h"
#include "projection/table.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/statistics/delta.h"
#include "store/dynamodb/totals/marks.h"

namespace quire::dynamodb {

// `access` must outlive it. Steps are made one after the other, because they write the same items.
// A step too large for one transaction is made in parts.
class TableStatistics : public projection::StatisticsTarget {
 public:
  static constexpr std::chrono::seconds max_wait{30};

  explicit TableStatistics(TableAccess& access)
      : access_(access), gate_(access.loop.context(), 1, 1000) {}

  Awaitable<Result<change::State>> state() override;
  Awaitable<Result<bool>> apply(change::Step step) override;
  Awaitable<Status> reset(change::State state) override;
  Awaitable<Status> reset(change::State state, std::string epoch) override;
  Awaitable<Result<bool>> change_phase(std::string epoch, change::Phase from,
                                       change::Phase to) override;
  Awaitable<AppliedChanges> apply_once(change::State state, std::vector<change::Change> changes,
                                       std::uint64_t now_s, Time until = Time::max()) override;
  Awaitable<Status> put_as_of(change::State state, std::uint64_t as_of_ms) override;
  Awaitable<Result<bool>> has_seen(Ulid id, std::string sequence) override;
  Awaitable<Status> put_seen(std::vector<change::Change> changes, std::uint64_t now_s) override;
  Awaitable<Result<std::vector<std::string>>> differences(std::string product,
                                                          Totals totals) override;
  Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                       std::size_t limit) override;
  Awaitable<Status> put(std::map<std::string, Totals> products, std::string epoch = {}) override;

 private:
  struct Unrepeated;
  // Of a step that fits a transaction.
  Awaitable<Result<bool>> make(change::Step step);
  Awaitable<AppliedChanges> make_once(change::State state, std::vector<change::Change> changes,
                                      std::uint64_t now_s,
                                      std::chrono::steady_clock::time_point until);
  Awaitable<Status> make_once(const change::State& state, Unrepeated batch, std::uint64_t now_s);
  Awaitable<Status> put_all(std::vector<Call> calls);
  Awaitable<Status> drop_seen(Unrepeated& batch, const Failure& failure);
  Awaitable<Result<KnownTotals>> totals_of(const std::set<std::string>& products, bool fresh);
  Awaitable<Status> write_state(change::State state, std::string epoch);
  Awaitable<Result<std::map<Item, Item>>> items_of(std::string product);
  Awaitable<Status> replace(std::map<std::string, Totals> products, std::string epoch);
  Awaitable<Status> replace(std::vector<Action> actions, std::string epoch);

  TableAccess& access_;
  Gate gate_;
};

}  // namespace quire::dynamodb
