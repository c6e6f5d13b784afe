// Work that is done again and again.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace quire {

// Calls `work` each time `interval` has passed, on a thread that ends soon after it is asked to
// stop, as its destructor does. `work` must not throw.
std::jthread repeated(std::chrono::milliseconds interval, std::function<void()> work);

}  // namespace quire
