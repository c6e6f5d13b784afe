// A socket: TCP, or TLS over TCP. TLS checks the certificate and the name of the host.
// Lives on one loop; not thread-safe.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <span>
#include <string>
#include <variant>

#include "loop/awaitable.h"

namespace quire::redis {

class Socket {
 public:
  using Error = boost::system::error_code;

  // Uses TLS if `tls` is given.
  Socket(boost::asio::io_context& context, boost::asio::ssl::context* tls);

  // Has no deadline. close() ends it, but not a look-up of the name that is already running.
  Awaitable<Error> open(std::string host, std::string port);
  // Returns the number of bytes read. One read and one write may run at a time.
  Awaitable<std::size_t> read(std::span<char> into, Error& failed);
  Awaitable<Error> write(std::string bytes);
  // Ends the running operations with an error.
  void close();

 private:
  using Plain = boost::asio::ip::tcp::socket;
  using Tls = boost::asio::ssl::stream<Plain>;

  Plain& plain();
  Awaitable<Error> connect(std::string host, std::string port);

  std::variant<Plain, Tls> stream_;
  boost::asio::ip::tcp::resolver resolver_;
  bool closed_ = false;
};

}  // namespace quire::redis
