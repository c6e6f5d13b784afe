// All comments of a table, counted anew in a page index of its own.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "page_index/page_index.h"
#include "projection/backfill.h"
#include "projection/statistics.h"

namespace quire::projection {

inline constexpr std::size_t products_at_once = 1000;

class Recount {
 public:
  // `index`: empty. `patience`: how long the stream may bring nothing that is waited for.
  Recount(std::unique_ptr<PageIndex> index, Pace pace, std::chrono::seconds patience)
      : index_(std::move(index)), pace_(pace), patience_(patience) {}

  // Scans the table, then follows its stream until now.
  Awaitable<Status> count(Source& source, std::size_t segments, Progress& progress);
  // Follows on, until now.
  Awaitable<Status> catch_up(Source& source);

  // The last change that the stream gave of a shard, also from before the scan.
  struct Told {
    bool ended = false;
    std::string sequence = {};  // of the last change
    Ulid id = {};               // the comment of the last change
  };
  const std::map<std::string, Told>& told() const { return told_; }
  // Whether a state that workers keep has all of that.
  bool within(const State& state) const;

  PageIndex& index() { return *index_; }
  // The index's state, without the marks of the scan.
  Awaitable<Result<State>> state();
  Awaitable<Result<Totals>> totals(std::string product);

 private:
  class Noted;

  std::unique_ptr<PageIndex> index_;
  std::map<std::string, Told> told_;  // by shard
  Pace pace_;
  std::chrono::seconds patience_;
};

// Some products of the recount or the statistics, in byte order, after `after`; empty: no more.
Awaitable<Result<std::vector<std::string>>> all_products(StatisticsTarget& statistics,
                                                         Recount& recount, std::string after);

}  // namespace quire::projection
