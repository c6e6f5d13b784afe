#include "base/repeated.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

namespace quire {

std::jthread repeated(std::chrono::milliseconds interval, std::function<void()> work) {
  return std::jthread([interval, work = std::move(work)](const std::stop_token& stop) {
    std::mutex alone;
    std::condition_variable_any never;
    std::unique_lock lock(alone);
    while (!never.wait_for(lock, stop, interval, [&] { return stop.stop_requested(); })) work();
  });
}

}  // namespace quire
