// All comments of a table, counted anew: a page index of its own in a temporary directory, which is
// gone when it is done, or killed.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "page_index/page_index.h"
#include "projection/backfill.h"
#include "projection/follower.h"
#include "store/dynamodb/statistics/statistics.h"

namespace quire {

inline constexpr std::chrono::minutes minutes_of_patience{10};
inline constexpr std::size_t products_at_once = 1000;  // of those that are compared

class Recount {
 public:
  // Under TMPDIR, else /tmp. `poll`: between looks at a shard. The service allows five reads of a
  // shard in a second, to all who follow it together. `patience`: while nothing of the stream
  // comes.
  static Result<std::unique_ptr<Recount>> make(Milliseconds poll,
                                               std::chrono::seconds patience = minutes_of_patience);

  // Scans the table, then follows its stream until now.
  Awaitable<Status> count(projection::Source& source, std::size_t segments,
                          projection::Progress& progress);
  // Follows on, until now.
  Awaitable<Status> catch_up(projection::Source& source);

  // How far a shard was counted, its changes from before the scan included.
  struct Told {
    bool ended = false;
    std::string place = {};  // of the last change the stream told
    Ulid id = {};            // whose
  };
  const std::map<std::string, Told>& told() const { return told_; }
  // Whether all of that is applied, where workers keep the state.
  bool within(const change::State& state) const;

  PageIndex& index() { return *index_; }
  // What its marks are, without those of the scan.
  Awaitable<Result<change::State>> state();
  Awaitable<Result<dynamodb::Totals>> totals(std::string product);

 private:
  class Noted;
  Recount(std::unique_ptr<PageIndex> index, Milliseconds poll, std::chrono::seconds patience)
      : index_(std::move(index)), pace_{.poll = poll, .beat = 5 * poll}, patience_(patience) {}

  std::unique_ptr<PageIndex> index_;
  std::map<std::string, Told> told_;  // by shard
  projection::Pace pace_;
  std::chrono::seconds patience_;
};

// Products that the recount found, or that the table's statistics name; some after `after`, in byte
// order.
Awaitable<Result<std::vector<std::string>>> all_products(dynamodb::TableStatistics& statistics,
                                                         Recount& recount, std::string after);

// Another one each time.
std::string new_name();

}  // namespace quire
