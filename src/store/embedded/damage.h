// Counts the damaged comments and rows that requests meet, and logs some of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace quire::embedded {

// Thread-safe.
class Damage {
 public:
  // `what` names the damaged thing: "comment 01JD…". Logs at most once a minute.
  void meet(std::string_view what) const;
  std::uint64_t met() const { return met_; }

 private:
  mutable std::atomic<std::uint64_t> met_ = 0;
  mutable std::atomic<std::int64_t> next_log_ms_ = 0;
};

}  // namespace quire::embedded
