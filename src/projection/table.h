// A table and what follows it, as building, verifying and repairing see them.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "page_index/page_index.h"
#include "projection/source.h"
#include "quire/statistics.h"

namespace quire::projection {

// A product's comments by rating, in each language and in `any`.
using Totals = std::map<FacetValue, RatingCounts>;

// The port to statistics as a target: counts of each product, with its ranks in leaderboards and
// the list of products. reset() leaves them as they are: put() makes them right. Errors as of
// Target.
class StatisticsTarget : public Target {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Target::reset;

  // As reset(), if the statistics are being built in this epoch. unavailable: another build has
  // begun since.
  virtual Awaitable<Status> reset(State state, std::string epoch) = 0;

  struct AppliedChanges {
    std::size_t changes = 0;  // how many, from the first on, are applied
    std::optional<Error> failed = {};
  };
  // Applies changes that may come again, each once, in their order: the statistics remember each
  // comment's last change for two days. Applies them only while epoch and phase are those of
  // `state`; begins no step after `until`.
  virtual Awaitable<AppliedChanges> apply_once(State state, std::vector<Change> changes,
                                               std::uint64_t now_s, Time until) = 0;
  // Notes until when everything is applied by apply_once().
  virtual Awaitable<Status> put_as_of(State state, std::uint64_t as_of_ms) = 0;
  // Whether apply_once() or put_seen() had the comment's change with this sequence number.
  virtual Awaitable<Result<bool>> has_seen(Ulid id, std::string sequence) = 0;
  // Makes apply_once() take these changes, and all before them, as applied.
  virtual Awaitable<Status> put_seen(std::vector<Change> changes, std::uint64_t now_s) = 0;

  // How the product's statistics, ranks and entry in the list of products differ from a recount: a
  // sentence each.
  virtual Awaitable<Result<std::vector<std::string>>> differences(std::string product,
                                                                  Totals totals) = 0;
  // Products that have statistics, in byte order, strictly after `after`; fewer than `limit`: all.
  virtual Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                               std::size_t limit) = 0;
  // Makes the statistics of these products those of a recount. unavailable: they changed meanwhile,
  // so the recount is too old; or the epoch is not `epoch` (empty: any). Some may be put then.
  virtual Awaitable<Status> put(std::map<std::string, Totals> products, std::string epoch) = 0;
};

// Is never followed or built, and never differs.
class NoStatistics : public StatisticsTarget {
 public:
  Awaitable<Result<State>> state() override { co_return State(); }
  Awaitable<Result<bool>> apply(Step) override { co_return true; }
  Awaitable<Status> reset(State) override { co_return Done{}; }
  Awaitable<Status> reset(State, std::string) override { co_return Done{}; }
  Awaitable<Result<bool>> change_phase(std::string, Phase, Phase) override { co_return false; }
  Awaitable<AppliedChanges> apply_once(State, std::vector<Change> changes, std::uint64_t,
                                       Time) override {
    co_return AppliedChanges{changes.size(), {}};
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

struct Followed {
  std::string what;        // "statistics" or "page index", for people
  std::string projection;  // names the leases, together with the target's epoch
  Target* target;
};

// All of it must outlive the table.
struct ProjectedTable {
  Source& source;
  StatisticsTarget& statistics;         // also where each write keeps them
  PageIndex* index = nullptr;           // null: there is none
  std::vector<Followed> followed = {};  // kept in step by the stream; the statistics first
};

// Makes an empty page index for a recount. Its files are gone when it is destroyed.
using MakeIndex = std::function<Result<std::unique_ptr<PageIndex>>()>;

// What became of items that cannot be read.
struct RepairedItems {
  std::size_t set_aside = 0;  // comments, facts and others
  std::size_t removed = 0;    // reports, votes and rows of customers
};

// The port to items at fault: damaged ones, and comments that lie in other lists than their own.
// The scans of the source find them.
class Inspection {
 public:
  virtual ~Inspection() = default;

  // Reads each item at fault anew: a sentence for each that still is. unavailable: the table cannot
  // be asked.
  virtual Awaitable<Result<std::vector<std::string>>> look_again() = 0;
  // Puts right what look_again() found: sets damaged items aside or removes them, and puts comments
  // into their own lists. An item that changes meanwhile is left as it is.
  virtual Awaitable<Result<RepairedItems>> repair() = 0;
};

}  // namespace quire::projection
