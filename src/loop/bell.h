// Wakes coroutines that wait for something new, each on its own loop, which has one thread.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "loop/one_answer.h"

namespace quire {

// Thread-safe.
class Bell {
 public:
  using Stroke = SharedAnswer<bool>;

  // The next stroke. Whoever takes it before looking for something new misses nothing by waiting
  // for it: co_await Bell::Stroke::wait(stroke, deadline).
  std::shared_ptr<Stroke> next() const {
    std::lock_guard lock(mutex_);
    return next_;
  }
  // Ends the wait of all who wait for the next stroke.
  void ring() {
    auto fresh = std::make_shared<Stroke>();
    std::unique_lock lock(mutex_);
    auto rung = std::exchange(next_, std::move(fresh));
    lock.unlock();
    rung->give(true);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Stroke> next_ = std::make_shared<Stroke>();  // guarded by mutex_
};

}  // namespace quire
