// The ids that Quire and its peers are given: evenly spread over ten years, each later
// than the one before. The same in every run.
#pragma once

#include <cstdint>
#include <random>

#include "quire/ulid.h"

namespace quire::bench {

inline constexpr std::uint64_t first_ms = 1'420'070'400'000;  // 2015-01-01
inline constexpr std::uint64_t last_ms = 1'735'689'600'000;   // 2025-01-01

// An id of that time; its other bits are random.
template <class Random>
Ulid random_id(std::uint64_t ms, Random& random) {
  std::array<std::uint8_t, 10> entropy;
  for (auto& byte : entropy) byte = static_cast<std::uint8_t>(random());
  return Ulid::make(ms, entropy);
}

class Ids {
 public:
  explicit Ids(std::uint64_t count)
      : step_(static_cast<double>(last_ms - first_ms) / static_cast<double>(count)) {}

  Ulid next() {
    auto place = static_cast<double>(made_++) + static_cast<double>(random_() >> 11) * 0x1p-53;
    return random_id(first_ms + static_cast<std::uint64_t>(place * step_), random_);
  }

 private:
  double step_;
  std::uint64_t made_ = 0;
  std::mt19937_64 random_{1};
};

}  // namespace quire::bench
