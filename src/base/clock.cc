#include "base/clock.h"

#include <sys/random.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <ctime>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <utility>

#include "quire/ulid.h"

namespace quire {

std::uint64_t system_ms() {
  // std::chrono's clock counts nanoseconds, of which 64 bits hold 292 years.
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (now.tv_sec < 0) return 0;
  constexpr std::uint64_t second = 1000;
  auto seconds = std::min<std::uint64_t>(now.tv_sec, max_time_ms / second);
  return std::min(seconds * second + now.tv_nsec / 1'000'000, max_time_ms);
}

std::array<std::uint8_t, 10> system_entropy() {
  // No signal interrupts a call of getrandom for up to 256 bytes.
  thread_local std::array<std::uint8_t, 250> buffer;
  thread_local std::size_t used = buffer.size();
  if (used == buffer.size()) {
    if (getrandom(buffer.data(), buffer.size(), 0) != static_cast<ssize_t>(buffer.size())) {
      throw std::runtime_error("the operating system gives no random bytes");
    }
    used = 0;
  }
  std::array<std::uint8_t, 10> out;
  std::memcpy(out.data(), buffer.data() + used, out.size());
  used += out.size();
  return out;
}

std::jthread repeated(std::chrono::milliseconds interval, std::function<void()> work) {
  return std::jthread([interval, work = std::move(work)](const std::stop_token& stop) {
    std::mutex alone;
    std::condition_variable_any never;
    std::unique_lock lock(alone);
    while (!never.wait_for(lock, stop, interval, [&] { return stop.stop_requested(); })) work();
  });
}

}  // namespace quire
