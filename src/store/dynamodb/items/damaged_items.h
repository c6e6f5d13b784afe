// Counts damaged items as they are read, and logs each at most once an hour. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <unordered_map>

#include "quire/result.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {

class DamagedItems {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::hours silence{1};
  // Only this many keys are logged in an hour. All damaged items are counted.
  static constexpr std::size_t max_keys = 1000;

  // Counts an item that is left out of an answer, and logs it if due.
  void note(const Damage& damage);
  // The items left out since the start, each as often as it was read.
  std::uint64_t total() const { return total_; }
  // What total() is called in metrics.
  static constexpr const char* counter = "quire_table_damaged_items_total";
  static constexpr const char* counter_help =
      "Damaged items left out, each as often as it was read";

  // Whether the item is to be logged now. True counts as having logged it.
  bool due(const std::string& key, Time now);

 private:
  std::atomic<std::uint64_t> total_ = 0;
  std::mutex mutex_;
  std::unordered_map<std::string, Time> logged_;
};

// A line for people. The key is quoted, as it may hold any bytes.
std::string shown(const Damage& damage);

// The error when an answer of the table cannot be decoded.
Error damaged_answer();

// The error when a caller names a damaged comment.
Error damaged_comment();

}  // namespace quire::dynamodb
