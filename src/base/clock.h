// The sources of time and randomness. Code that needs them takes them as arguments, so that tests
// can replace them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

namespace quire {

using Clock = std::function<std::uint64_t()>;  // ms since 1970
using Entropy = std::function<std::array<std::uint8_t, 10>()>;

std::uint64_t system_ms();
// Random bytes of the operating system, buffered per thread. Thread-safe.
std::array<std::uint8_t, 10> system_entropy();

}  // namespace quire
