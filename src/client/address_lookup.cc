#include "client/address_lookup.h"

#include <boost/asio/error.hpp>

namespace quire {

namespace asio = boost::asio;

Awaitable<AddressLookup::Resolved> AddressLookup::addresses(Deadline deadline) {
  auto found = co_await found_.get_until(deadline, ask_);
  if (!found) co_return Resolved{asio::error::timed_out, {}};
  co_return std::move(*found);
}

AddressLookup::Ask system_lookup(std::string host, std::string port) {
  return [host = std::move(host), port = std::move(port)]() -> Awaitable<AddressLookup::Resolved> {
    asio::ip::tcp::resolver resolver(co_await asio::this_coro::executor);
    auto [failed, addresses] = co_await resolver.async_resolve(host, port, await);
    co_return AddressLookup::Resolved{failed, addresses};
  };
}

}  // namespace quire
