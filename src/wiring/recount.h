// All comments of a table, counted anew: a page index of its own in a temporary directory, which is
// gone when it is done, or killed.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "projection/backfill.h"
#include "projection/follower.h"
#include "rank/page_index.h"
#include "store/dynamodb/statistics.h"

namespace quire {

inline constexpr std::size_t products_at_once = 1000;  // of those that are compared

class Recount {
 public:
  // Under TMPDIR, else /tmp. `poll`: between looks at a shard. The service allows five reads of a
  // shard in a second, to all who follow it together.
  static Result<std::unique_ptr<Recount>> make(Milliseconds poll);

  // Scans the table, then follows its stream until now.
  Awaitable<Status> count(projection::Source& source, std::size_t segments,
                          projection::Progress& progress);
  // Follows on, until now.
  Awaitable<Status> catch_up(projection::Source& source);

  // Whether everything it was told by the stream is applied where the state is kept.
  bool within(const projection::State& state) const;

  PageIndex& index() { return *index_; }
  // What its marks are, without those of the scan.
  Awaitable<Result<projection::State>> state();
  Awaitable<Result<dynamodb::Totals>> totals(std::string product);

 private:
  class Noted;
  Recount(std::unique_ptr<PageIndex> index, Milliseconds poll)
      : index_(std::move(index)), pace_{.poll = poll, .beat = 5 * poll} {}

  std::unique_ptr<PageIndex> index_;
  std::map<std::string, projection::Mark> told_;  // by shard, of its last change
  projection::Pace pace_;
};

// Products that the recount found, or that the table's statistics name; some after `after`, in byte
// order.
Awaitable<Result<std::vector<std::string>>> all_products(dynamodb::TableStatistics& statistics,
                                                         Recount& recount, std::string after);

// Another one each time.
std::string new_name();

}  // namespace quire
