// Ids of new comments. Those that a process makes grow, also within a millisecond, so comments that
// are posted one after another stay in this order. Those of a time that a client gives do, too,
// unless 1,000 other times are given in between.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>

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

  // An id of a given time: the one that follows the last id of that time, if it is remembered.
  Ulid of(std::uint64_t ms, const std::array<std::uint8_t, 10>& entropy) {
    std::lock_guard lock(mutex_);
    auto [last, added] = recent_.try_emplace(ms, Ulid::make(ms, entropy));
    auto older = added ? older_.find(ms) : older_.end();
    if (older != older_.end()) last->second = older->second;
    if (!added || older != older_.end()) {
      auto next = last->second.next();
      last->second = next.ms() == ms ? next : Ulid::make(ms, entropy);
    }
    auto id = last->second;
    if (recent_.size() > remembered) older_ = std::exchange(recent_, {});
    return id;
  }

 private:
  static constexpr std::size_t remembered = 1000;

  std::mutex mutex_;
  Ulid last_{};
  // The last ids of given times: of the newest times, and of those before.
  std::unordered_map<std::uint64_t, Ulid> recent_, older_;
};

}  // namespace quire
