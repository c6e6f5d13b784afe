// What completes later, on a loop.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>

namespace quire {

template <class T>
using Awaitable = boost::asio::awaitable<T>;

using Milliseconds = std::chrono::milliseconds;

}  // namespace quire
