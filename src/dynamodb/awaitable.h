// What completes later, on a loop.
#pragma once

#include <boost/asio/awaitable.hpp>

namespace quire::dynamodb {

template <class T>
using Awaitable = boost::asio::awaitable<T>;

}  // namespace quire::dynamodb
