// Whether a page index beside the store can number listings now.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "listing/lists/maker.h"
#include "loop/one_answer.h"

namespace quire::lists {

// Asks the index for its state and keeps the answer for a moment. Thread-safe. When it is
// destroyed, every loop that ran requests must have ended.
class IndexHealth {
 public:
  static constexpr std::chrono::milliseconds kept{1000};  // how long an answer holds

  // `source`: has an index.
  IndexHealth(NumbersSource source, Clock clock);

  const NumbersSource& source() const { return source_; }

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
  IndexStatus judge(const change::State& state, std::string refused) const;
  IndexStatus down() const;
  void learn(IndexStatus status, const std::string& why);

  const NumbersSource source_;
  const Clock clock_;
  OneAnswer<Done> asked_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::optional<IndexStatus> known_;  // absent: the index has not answered, nor been given up
  std::optional<std::uint64_t> answered_ms_;  // absent: the index is to be asked anew
  bool failure_logged_ = false;
};

}  // namespace quire::lists
