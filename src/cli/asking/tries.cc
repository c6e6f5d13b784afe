#include "cli/asking/tries.h"

#include <algorithm>
#include <thread>

namespace quire::cli {
namespace {

constexpr std::chrono::milliseconds longest_pause{8000};

}  // namespace

bool Tries::again() {
  if (left_-- == 0) return false;
  std::this_thread::sleep_for(pause_);
  pause_ = std::min(2 * pause_, longest_pause);
  return true;
}

bool is_passing(unsigned status) {
  return status == 429 || (status >= 502 && status <= 504);
}

}  // namespace quire::cli
