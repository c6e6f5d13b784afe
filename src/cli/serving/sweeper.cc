#include "cli/serving/sweeper.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "loop/wait.h"

namespace quire::cli {
namespace {

constexpr std::chrono::minutes between_looks{1};

void sweep(const std::stop_token& stop, Comments& comments) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!wake.wait_for(lock, stop, between_looks, [&] { return stop.stop_requested(); })) {
    auto more = wait(comments.sweep());
    while (more && *more && !stop.stop_requested()) more = wait(comments.sweep());
    if (!more) spdlog::warn("sweeping votes rests for a minute: {}", more.error().message);
  }
}

}  // namespace

Sweeper::Sweeper(Comments& comments)
    : thread_([&comments](const std::stop_token& stop) { sweep(stop, comments); }) {}

}  // namespace quire::cli
