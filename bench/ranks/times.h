// How long single calls took.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <vector>

namespace quire::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

class Times {
 public:
  // Records a call that began at `begun` and ends now.
  void add(Clock::time_point begun) { taken_.push_back(seconds_since(begun) * 1e6); }

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
