// All comments of a table, counted anew in a page index of its own, up to a moment.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "page_index/page_index.h"
#include "projection/backfill.h"
#include "projection/table.h"
#include "projection/worker.h"

namespace quire::projection {

// Returns when the target has all that was written before the call. With nothing to read, that
// takes some reads of each shard, or up to a beat more. On a loop of one thread. unavailable: no
// mark moved for `stall_timeout`, or the target does not follow the stream.
Awaitable<Status> catch_up(Source& source, Target& target, Worker::Options options,
                           Milliseconds stall_timeout);

inline constexpr std::size_t products_at_once = 1000;

class Recount {
 public:
  // `index`: empty. `stall_timeout`: how long the stream may bring nothing that is waited for.
  Recount(std::unique_ptr<PageIndex> index, Pace pace, Milliseconds stall_timeout)
      : index_(std::move(index)), pace_(pace), stall_timeout_(stall_timeout) {}

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
  Milliseconds stall_timeout_;
};

// Some products of the recount or the statistics, in byte order, after `after`; empty: no more.
Awaitable<Result<std::vector<std::string>>> all_products(StatisticsTarget& statistics,
                                                         Recount& recount, std::string after);

}  // namespace quire::projection
