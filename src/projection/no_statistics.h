// The statistics of a table that keeps none.
#pragma once

#include "projection/statistics.h"

namespace quire::projection {

// Is never followed or built, and never differs.
class NoStatistics : public StatisticsTarget {
 public:
  Awaitable<Result<State>> state() override { co_return State(); }
  Awaitable<Result<bool>> apply(Step) override { co_return true; }
  Awaitable<Status> reset(State) override { co_return Done{}; }
  Awaitable<Status> reset(State, std::string) override { co_return Done{}; }
  Awaitable<Result<bool>> turn(std::string, Phase, Phase) override { co_return false; }
  Awaitable<Once> apply_once(State, std::vector<Change> changes, std::uint64_t, Time) override {
    co_return Once{changes.size(), {}};
  }
  Awaitable<Status> put_as_of(State, std::uint64_t) override { co_return Done{}; }
  Awaitable<Result<bool>> has_seen(Ulid, std::string) override { co_return true; }
  Awaitable<Status> put_seen(std::vector<Change>, std::uint64_t) override { co_return Done{}; }
  Awaitable<Result<std::vector<std::string>>> differences(std::string, Totals) override {
    co_return std::vector<std::string>();
  }
  Awaitable<Result<std::vector<std::string>>> products(std::string, std::size_t) override {
    co_return std::vector<std::string>();
  }
  Awaitable<Status> put(std::map<std::string, Totals>, std::string) override { co_return Done{}; }
};

}  // namespace quire::projection
