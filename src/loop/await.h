// The completion token for operations of Asio: co_await socket.async_connect(to, await) returns the
// error beside the result. Nothing is thrown, because failures of sockets are ordinary.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace quire {

inline constexpr auto await = boost::asio::as_tuple(boost::asio::use_awaitable);

}  // namespace quire
