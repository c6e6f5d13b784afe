// The sources of time and randomness. Code that needs them takes them as arguments, so that tests
// can replace them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

namespace quire {

using Clock = std::function<std::uint64_t()>;  // ms since 1970
using Entropy = std::function<std::array<std::uint8_t, 10>()>;

// 0 while the clock stands before 1970, and max_time_ms after the year 9999: times that have a
// text, and that are an id's. A clock that is so wrong makes ids of one time, which chance tells
// apart.
std::uint64_t system_ms();
// Random bytes of the operating system, buffered per thread. Thread-safe.
std::array<std::uint8_t, 10> system_entropy();

}  // namespace quire
