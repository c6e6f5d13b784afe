// Ids of new comments. Those that a process makes grow, also within a millisecond, so comments that
// are posted one after another stay in this order.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include "quire/ulid.h"

namespace quire {

// Thread-safe.
class Ids {
 public:
  // An id of this time, in ms since 1970, or the one that follows the last id: where that has the
  // same time, or a time up to a second later because the clock was set back a little.
  Ulid next(std::uint64_t now_ms, const std::array<std::uint8_t, 10>& entropy) {
    constexpr std::uint64_t max_back_ms = 1000;
    std::lock_guard lock(mutex_);
    bool follows = now_ms <= last_.ms() && last_.ms() - now_ms <= max_back_ms;
    last_ = follows ? last_.next() : Ulid::make(now_ms, entropy);
    return last_;
  }

 private:
  std::mutex mutex_;
  Ulid last_{};
};

}  // namespace quire
