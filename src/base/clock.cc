#include "base/clock.h"

#include <sys/random.h>

#include <chrono>
#include <cstring>
#include <stdexcept>

namespace quire {

std::uint64_t system_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
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

}  // namespace quire
