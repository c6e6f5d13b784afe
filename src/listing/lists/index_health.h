// Whether a page index beside the store can number listings now.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "listing/listing.h"
#include "loop/one_answer.h"
#include "page_index/page_index.h"

namespace quire::lists {

// Asks the index for its state and keeps the answer for a moment. Thread-safe. When it is
// destroyed, every loop that ran requests must have ended.
class IndexHealth {
 public:
  static constexpr std::chrono::milliseconds kept{1000};            // how long an answer holds
  static constexpr std::chrono::milliseconds answer_timeout{1000};  // with an index that was asked

  // Why an index that follows a stream gives no numbers, as a sentence; empty: it may.
  using Refuses = std::function<std::string(const change::State&)>;

  // An index that is further behind than `max_behind` gives no numbers. It must outlive this.
  IndexHealth(PageIndex& index, std::chrono::seconds max_behind, Clock clock, Refuses refuses = {});

  PageIndex& index() const { return index_; }

  // The index's status of at most a second ago. One request at a time asks the index; the others
  // take what was known before. An index that does not answer is down, for a second at least.
  Awaitable<IndexStatus> status();
  // The status of now, without what it is behind. Waits for the index, and keeps no answer.
  Awaitable<IndexStatus> status_anew();
  // A question about this product failed. Another may be answered, so the state alone tells whether
  // the index is down. Logs one such error for each answer of the index.
  void failed(std::string_view product, const Error& error);

 private:
  struct Answer {
    IndexStatus status;
    std::string why;  // for the log: why there are no numbers
  };

  bool fresh() const;
  std::optional<IndexStatus> known() const;
  Awaitable<void> ask();
  Awaitable<Done> take_answer();
  Awaitable<Answer> ask_index();
  std::string behind(const change::State& state, std::uint64_t as_of_ms) const;
  IndexStatus judge(const change::State& state) const;
  IndexStatus down() const;
  void learn(IndexStatus status, const std::string& why);

  PageIndex& index_;
  const std::chrono::seconds max_behind_;
  const Clock clock_;
  const Refuses refuses_;
  OneAnswer<Done> asked_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::optional<IndexStatus> known_;  // absent: the index has not answered, nor been given up
  std::optional<std::uint64_t> answered_ms_;  // absent: the index is to be asked anew
  bool failure_logged_ = false;
};

}  // namespace quire::lists
