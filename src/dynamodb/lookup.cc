#include "dynamodb/lookup.h"

namespace quire::dynamodb {

namespace asio = boost::asio;

Awaitable<Lookup::Found> Lookup::addresses(Deadline deadline) {
  auto found = co_await found_.get_until(deadline, ask_);
  if (!found) co_return Found{asio::error::timed_out, {}};
  co_return std::move(*found);
}

Lookup::Ask system_lookup(std::string host, std::string port) {
  return [host = std::move(host), port = std::move(port)]() -> Awaitable<Lookup::Found> {
    asio::ip::tcp::resolver resolver(co_await asio::this_coro::executor);
    auto [failed, addresses] = co_await resolver.async_resolve(host, port, await);
    co_return Lookup::Found{failed, addresses};
  };
}

}  // namespace quire::dynamodb
