// The sources of time and randomness, which code takes as arguments, so that tests can replace
// them; and work that is done again each time an interval has passed.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

namespace quire {

using Clock = std::function<std::uint64_t()>;  // ms since 1970
using Entropy = std::function<std::array<std::uint8_t, 10>()>;

// 0 while the clock stands before 1970, and max_time_ms after the year 9999: times that have a
// text, and that are an id's. A clock that is so wrong makes ids of one time, which chance tells
// apart.
std::uint64_t system_ms();
// Random bytes of the operating system, buffered per thread. Thread-safe.
std::array<std::uint8_t, 10> system_entropy();

// Calls `work` each time `interval` has passed, on a thread that ends soon after it is asked to
// stop, as its destructor does. `work` must not throw.
std::jthread repeated(std::chrono::milliseconds interval, std::function<void()> work);

}  // namespace quire
