// Where time and entropy come from. Code that needs them takes these as arguments, so that tests
// can choose.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

namespace quire {

using Clock = std::function<std::uint64_t()>;  // ms since 1970
using Entropy = std::function<std::array<std::uint8_t, 10>()>;

std::uint64_t system_ms();
// From the operating system's source, buffered per thread. Thread-safe.
std::array<std::uint8_t, 10> system_entropy();

}  // namespace quire
