// Runs a coroutine to its end, for a caller without a loop.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>

#include "loop/awaitable.h"

namespace quire {

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
