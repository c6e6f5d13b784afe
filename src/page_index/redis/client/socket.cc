#include "page_index/redis/client/socket.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/write.hpp>

#include "loop/await.h"

namespace quire::redis {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

std::variant<tcp::socket, asio::ssl::stream<tcp::socket>> stream_of(asio::io_context& context,
                                                                    asio::ssl::context* tls) {
  if (tls) return asio::ssl::stream<tcp::socket>(context, *tls);
  return tcp::socket(context);
}

}  // namespace

Socket::Socket(asio::io_context& context, asio::ssl::context* tls)
    : stream_(stream_of(context, tls)), resolver_(context) {}

tcp::socket& Socket::plain() {
  auto* tls = std::get_if<Tls>(&stream_);
  return tls ? tls->next_layer() : std::get<Plain>(stream_);
}

Awaitable<Socket::Error> Socket::open(std::string host, std::string port) {
  auto failed = co_await connect(host, port);
  auto* tls = std::get_if<Tls>(&stream_);
  if (failed || !tls) co_return failed;
  tls->set_verify_callback(asio::ssl::host_name_verification(host));
  Error a_name;
  asio::ip::make_address(host, a_name);
  if (a_name) SSL_set_tlsext_host_name(tls->native_handle(), host.c_str());
  auto [untrusted] = co_await tls->async_handshake(asio::ssl::stream_base::client, await);
  co_return untrusted;
}

Awaitable<Socket::Error> Socket::connect(std::string host, std::string port) {
  auto [unknown, addresses] = co_await resolver_.async_resolve(host, port, await);
  if (unknown) co_return unknown;
  if (closed_) co_return asio::error::operation_aborted;
  auto [refused, address] = co_await asio::async_connect(plain(), addresses, await);
  if (refused) co_return refused;
  Error unset;
  plain().set_option(tcp::no_delay(true), unset);
  plain().set_option(asio::socket_base::keep_alive(true), unset);
  co_return Error();
}

Awaitable<std::size_t> Socket::read(std::span<char> into, Error& failed) {
  auto buffer = asio::buffer(into.data(), into.size());
  std::size_t size = 0;
  if (auto* tls = std::get_if<Tls>(&stream_))
    std::tie(failed, size) = co_await tls->async_read_some(buffer, await);
  else
    std::tie(failed, size) = co_await plain().async_read_some(buffer, await);
  co_return size;
}

Awaitable<Socket::Error> Socket::write(std::string bytes) {
  Error failed;
  std::size_t size = 0;
  if (auto* tls = std::get_if<Tls>(&stream_))
    std::tie(failed, size) = co_await asio::async_write(*tls, asio::buffer(bytes), await);
  else
    std::tie(failed, size) = co_await asio::async_write(plain(), asio::buffer(bytes), await);
  co_return failed;
}

void Socket::close() {
  closed_ = true;
  resolver_.cancel();
  Error failed;
  plain().close(failed);
}

}  // namespace quire::redis
