// How an operation of Asio is awaited: co_await socket.async_connect(to, await) gives its error
// beside its result, since failures of sockets are ordinary.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace quire {

inline constexpr auto await = boost::asio::as_tuple(boost::asio::use_awaitable);

}  // namespace quire
