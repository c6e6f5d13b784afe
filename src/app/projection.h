// Opens what follows a table's stream: its statistics, where the stream keeps them, and the page
// index; and runs the projection's algorithms on it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/open.h"
#include "projection/build.h"
#include "projection/verify.h"
#include "projection/worker.h"
#include "store/store.h"

namespace quire {

class FollowedTable;

class OpenProjection {
 public:
  // invalid_parameter: `store` is no table.
  static Result<std::unique_ptr<OpenProjection>> open(const std::string& store,
                                                      const std::string& pages);
  // Also invalid_parameter: nothing follows the table. Its statistics are kept by each write, and
  // there is no page index.
  static Result<std::unique_ptr<OpenProjection>> open_followed(const std::string& store,
                                                               const std::string& pages);
  ~OpenProjection();

  projection::Source& source() { return table_->source; }
  const std::vector<projection::Followed>& followed() const { return table_->followed; }

  // Blocks; see projection::build() and projection::verify(). The recount is in a temporary
  // directory.
  Result<projection::Built> build(const projection::Followed& followed,
                                  const projection::Building& options,
                                  projection::Progress& progress);
  Result<projection::Verified> verify(const projection::Verification& options,
                                      projection::Progress& progress);
  // See projection::begin_if_empty().
  Awaitable<bool> begin_if_empty(const projection::Followed& followed);

  // Applies the records of an event of AWS Lambda to all that follows the table. Gives the answer
  // for Lambda, which names the first record that could not be applied. An event without records
  // only moves the time up to which all is applied. An error: nothing was applied, and the event is
  // to be sent again. Begins no step after `until`.
  Awaitable<Result<std::string>> answer_event(std::string event,
                                              std::chrono::steady_clock::time_point until);

  // Counters of reading the table and its stream.
  std::vector<Metric> metrics() const;

 private:
  OpenProjection();

  std::unique_ptr<PageIndex> pages_;
  std::unique_ptr<FollowedTable> followed_table_;
  std::optional<projection::ProjectedTable> table_;  // of the parts above
};

}  // namespace quire
