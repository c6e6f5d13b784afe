// A clock that goes on while the machine is suspended. std::chrono::steady_clock stands still then,
// and takes for fresh what is hours old.
#pragma once

#include <time.h>

#include <chrono>

namespace quire::dynamodb {

struct BootClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept {
    timespec time{};
    clock_gettime(CLOCK_BOOTTIME, &time);
    return time_point(std::chrono::seconds(time.tv_sec) + duration(time.tv_nsec));
  }
};

}  // namespace quire::dynamodb
