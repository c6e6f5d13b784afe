// The type of a coroutine that completes later, on an event loop.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>

namespace quire {

// The completion token for operations of Asio: co_await socket.async_connect(to, await) returns the
// error beside the result. Nothing is thrown, because failures of sockets are ordinary.
inline constexpr auto await = boost::asio::as_tuple(boost::asio::use_awaitable);

template <class T>
using Awaitable = boost::asio::awaitable<T>;

using Milliseconds = std::chrono::milliseconds;

}  // namespace quire
