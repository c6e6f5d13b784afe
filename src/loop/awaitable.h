// The type of a coroutine that completes later, on an event loop.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>

namespace quire {

template <class T>
using Awaitable = boost::asio::awaitable<T>;

using Milliseconds = std::chrono::milliseconds;

}  // namespace quire
