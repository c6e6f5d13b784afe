// An event loop on a thread of its own, and waiting: on a loop, or without one until a coroutine
// has ended. Clients of other servers keep their connections, caches and queues on one LoopThread,
// so these need no locks.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "loop/awaitable.h"

namespace quire {

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
    // Asio requires a result that has a default constructor.
    auto result = co_await boost::asio::co_spawn(context_, optional(std::move(work)),
                                                 boost::asio::use_awaitable);
    co_return std::move(*result);
  }

 private:
  template <class T>
  static Awaitable<std::optional<T>> optional(Awaitable<T> work) {
    co_return std::optional<T>(co_await std::move(work));
  }

  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> busy_;
  std::thread thread_;
};

// Suspends the caller for `time`, on its own loop.
inline Awaitable<void> pause(Milliseconds time) {
  namespace asio = boost::asio;
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  boost::system::error_code cancelled;
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
}

// Runs all `works` at once on the loop of the caller, which has one thread. Returns only when all
// have ended, even if one throws or the caller is cancelled: no work uses what the caller then
// frees.
template <class T>
Awaitable<std::vector<T>> all(std::vector<Awaitable<T>> works) {
  namespace asio = boost::asio;
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  if (works.size() == 1) {
    std::vector<T> value;
    value.push_back(co_await std::move(works.front()));
    co_return value;
  }
  asio::steady_timer ended(co_await asio::this_coro::executor,
                           asio::steady_timer::time_point::max());
  std::vector<std::optional<T>> results(works.size());
  std::exception_ptr failure;
  std::size_t running = works.size();
  for (std::size_t i = 0; i < works.size(); ++i) {
    auto one = [](Awaitable<T> work, std::optional<T>& result) -> Awaitable<void> {
      result.emplace(co_await std::move(work));
    };
    asio::co_spawn(ended.get_executor(), one(std::move(works[i]), results[i]),
                   [&](std::exception_ptr thrown) {
                     if (thrown) failure = thrown;
                     if (--running == 0) ended.cancel();
                   });
  }
  while (running > 0) {
    boost::system::error_code cancelled;
    co_await ended.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  }
  if (failure) std::rethrow_exception(failure);
  std::vector<T> values;
  values.reserve(results.size());
  for (auto& result : results) values.push_back(std::move(*result));
  co_return values;
}

// Blocks until `work` is complete; rethrows what it throws.
template <class T>
T wait(Awaitable<T> work) {
  boost::asio::io_context context(1);
  std::optional<T> result;
  std::exception_ptr failure;
  boost::asio::co_spawn(
      context, [&]() -> Awaitable<void> { result.emplace(co_await std::move(work)); },
      [&](std::exception_ptr thrown) { failure = thrown; });
  context.run();
  if (failure) std::rethrow_exception(failure);
  return std::move(*result);
}

}  // namespace quire
