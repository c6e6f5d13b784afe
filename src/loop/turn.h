// Long work in turns: others on the loop wait for a few milliseconds, not for the whole of it.
#pragma once

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "loop/awaitable.h"
#include "loop/handler_time.h"

namespace quire {

// Whether the work that runs now has held its thread for two milliseconds: time to co_await
// next_turn(). Costs a look at the clock. False outside of a loop's handlers.
inline bool turn_is_over() {
  constexpr std::chrono::milliseconds turn{2};
  return handler_begun != std::chrono::steady_clock::time_point{} &&
         std::chrono::steady_clock::now() - handler_begun > turn;
}

// Goes on when the others that are ready have had their turn. What is held meanwhile, as a read
// transaction, stays as it is.
inline Awaitable<void> next_turn() {
  namespace asio = boost::asio;
  co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
}

}  // namespace quire
