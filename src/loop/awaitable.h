// The type of a coroutine that completes later, on an event loop; and long work in turns: the other
// coroutines of the loop wait a few milliseconds, not until its end.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <cstdint>

#include "loop/handler_time.h"

namespace quire {

// The completion token for operations of Asio: co_await socket.async_connect(to, await) returns the
// error beside the result. Nothing is thrown, because failures of sockets are ordinary.
inline constexpr auto await = boost::asio::as_tuple(boost::asio::use_awaitable);

template <class T>
using Awaitable = boost::asio::awaitable<T>;

using Milliseconds = std::chrono::milliseconds;

inline constexpr std::chrono::milliseconds turn{2};

// Whether the current handler has held its thread for a turn. Then the caller should
// co_await next_turn(). Costs one reading of the clock. False outside of handlers.
inline bool turn_is_over() {
  return handler_begun != std::chrono::steady_clock::time_point{} &&
         std::chrono::steady_clock::now() - handler_begun > turn;
}

// Suspends until every other handler that is ready has run, and on a loop with Turns until the
// client has its turn. What the caller holds, such as a read transaction, stays open meanwhile.
Awaitable<void> next_turn();

// Does `work` for the client of this number.
Awaitable<void> work_for(std::uint64_t client, Awaitable<void> work);

// In a coroutine that waits: its caller goes on with the same client's work, though in another
// handler.
class SameWork {
 public:
  SameWork() : client_(work_of) {}
  ~SameWork() { work_of = client_; }
  SameWork(const SameWork&) = delete;
  SameWork& operator=(const SameWork&) = delete;

 private:
  const std::uint64_t client_;
};

}  // namespace quire
