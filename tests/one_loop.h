// A loop for the clients and servers of a test, run by the test itself.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "loop/awaitable.h"

namespace quire {

// A test that hangs fails at a deadline.
class OneLoop {
 public:
  template <class T>
  T run(Awaitable<T> work) {
    std::optional<T> result;
    std::exception_ptr failure;
    boost::asio::co_spawn(
        context_, [&]() -> Awaitable<void> { result.emplace(co_await std::move(work)); },
        [&](std::exception_ptr thrown) {
          failure = thrown;
          context_.stop();
        });
    context_.restart();
    context_.run_for(std::chrono::minutes(1));
    if (failure) std::rethrow_exception(failure);
    if (!result) throw std::runtime_error("it does not end");
    return std::move(*result);
  }
  boost::asio::io_context& context() { return context_; }

 private:
  boost::asio::io_context context_{1};
};

}  // namespace quire
