// Damaged items as they are met: counted, and logged at most once an hour each. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <unordered_map>

#include "quire/result.h"
#include "store/dynamodb/reading.h"
#include "store/store.h"

namespace quire::dynamodb {

class DamagedItems {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::hours silence{1};
  // Of more keys than so many in an hour, some are not logged. All are counted.
  static constexpr std::size_t max_keys = 1000;

  // The item is left out of an answer.
  void note(const Damage& damage);
  // How many were left out since the start, each as often as it was met.
  std::uint64_t total() const { return total_; }
  Figure figure() const {
    return {"quire_table_damaged_items_total",
            "Damaged items left out, each as often as it was read", static_cast<double>(total_)};
  }

  // Whether the item is to be logged now; if so, it was.
  bool due(const std::string& key, Time now);

 private:
  std::atomic<std::uint64_t> total_ = 0;
  std::mutex mutex_;
  std::unordered_map<std::string, Time> logged_;
};

// For people, on one line: a key may hold any bytes.
std::string shown(const Damage& damage);

// The answer to a caller who names a damaged comment.
Error damaged_comment();

}  // namespace quire::dynamodb
