// A connection's bytes: TCP, or TLS over it, with the certificate and the host's name checked.
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

  // With `tls`, TLS.
  Socket(boost::asio::io_context& context, boost::asio::ssl::context* tls);

  // Has no deadline: close() ends it, but for the look-up of a name that is under way already.
  Awaitable<Error> open(std::string host, std::string port);
  // How many bytes came. One read and one write may be under way at a time.
  Awaitable<std::size_t> read(std::span<char> into, Error& failed);
  Awaitable<Error> write(std::string bytes);
  // What is under way ends with an error.
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
