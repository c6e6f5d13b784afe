// An event loop on a thread of its own, and waiting: on a loop, or without one until a coroutine
// has ended. Clients of other servers keep their connections, caches and queues on one LoopThread,
// so these need no locks.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "loop/awaitable.h"

namespace quire {

// Puts the result of `work` into `result`, which must outlive it.
template <class T>
Awaitable<void> keep(Awaitable<T> work, std::optional<T>& result) {
  result.emplace(co_await std::move(work));
}

class LoopThread {
 public:
  LoopThread() : busy_(context_.get_executor()), thread_([this] { context_.run(); }) {}
  // Nothing may run on the loop any more.
  ~LoopThread() {
    busy_.reset();
    context_.stop();
    thread_.join();
  }

  boost::asio::io_context& context() { return context_; }

  // Runs `work` on the thread of the loop; completes on the executor of the caller.
  template <class T>
  Awaitable<T> run(Awaitable<T> work) {
    std::optional<T> result;
    co_await complete(keep(std::move(work), result));
    co_return std::move(*result);
  }

 private:
  Awaitable<void> complete(Awaitable<void> work);

  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> busy_;
  std::thread thread_;
};

// Suspends the caller for `time`, on its own loop.
Awaitable<void> pause(Milliseconds time);

// As the functions below, of works without a result. Asio's templates of co_spawn() take long to
// compile, so nothing else spawns a work of each type.
Awaitable<void> all_complete(std::vector<Awaitable<void>> works);
void wait(Awaitable<void> work);

// Runs all `works` at once on the loop of the caller, which has one thread. Returns only when all
// have ended, even if one throws or the caller is cancelled: no work uses what the caller then
// frees.
template <class T>
Awaitable<std::vector<T>> all(std::vector<Awaitable<T>> works) {
  std::vector<std::optional<T>> results(works.size());
  std::vector<Awaitable<void>> kept;
  kept.reserve(works.size());
  for (std::size_t i = 0; i < works.size(); ++i)
    kept.push_back(keep(std::move(works[i]), results[i]));
  co_await all_complete(std::move(kept));
  std::vector<T> values;
  values.reserve(results.size());
  for (auto& result : results) values.push_back(std::move(*result));
  co_return values;
}

// Blocks until `work` is complete; rethrows what it throws.
template <class T>
T wait(Awaitable<T> work) {
  std::optional<T> result;
  wait(keep(std::move(work), result));
  return std::move(*result);
}

}  // namespace quire
