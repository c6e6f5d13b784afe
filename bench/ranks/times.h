// How long single calls took.
#pragma once

#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace quire::bench {

using Clock = std::chrono::steady_clock;

// The time that the calling thread has spent on a core. Other processes do not lengthen it, but a
// look at it is a system call: for what takes many microseconds.
struct ThreadClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ThreadClock>;
  static constexpr bool is_steady = true;

  static time_point now() {
    timespec spent{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return time_point(std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec));
  }
};

template <class AnyClock, class Duration>
double seconds_since(std::chrono::time_point<AnyClock, Duration> begun) {
  return std::chrono::duration<double>(AnyClock::now() - begun).count();
}

class Times {
 public:
  // Records a call that began at `begun` and ends now; or as many together, each with the mean.
  template <class AnyClock, class Duration>
  void add(std::chrono::time_point<AnyClock, Duration> begun, std::uint64_t calls = 1) {
    taken_.push_back(seconds_since(begun) * 1e6 / static_cast<double>(calls));
  }

  // In microseconds, as a JSON object.
  std::string json() {
    if (taken_.empty()) return "null";
    std::sort(taken_.begin(), taken_.end());
    double mean =
        std::accumulate(taken_.begin(), taken_.end(), 0.0) / static_cast<double>(taken_.size());
    return fmt::format(R"({{"p50":{:.3f},"p99":{:.3f},"mean":{:.3f}}})", part(0.5), part(0.99),
                       mean);
  }

 private:
  double part(double of) const {
    return taken_[static_cast<std::size_t>(of * static_cast<double>(taken_.size() - 1))];
  }

  std::vector<double> taken_;
};

}  // namespace quire::bench
