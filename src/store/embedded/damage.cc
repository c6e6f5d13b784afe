#include "store/embedded/damage.h"

#include <spdlog/spdlog.h>

#include <chrono>

namespace quire::embedded {
namespace {

constexpr std::int64_t pause_ms = 60'000;

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

void Damage::meet(std::string_view what) const {
  auto met = ++met_;
  auto now = now_ms(), next = next_log_ms_.load();
  if ((met > 1 && now < next) || !next_log_ms_.compare_exchange_strong(next, now + pause_ms))
    return;
  spdlog::warn(
      "{} in the store is damaged, and left out ({} met since the start): run quire verify", what,
      met);
}

}  // namespace quire::embedded
