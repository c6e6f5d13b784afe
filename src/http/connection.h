// One client: reads requests, has them answered, writes the answers, one after the other.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <memory>
#include <string>
#include <vector>

#include "http/application.h"
#include "http/client_address.h"
#include "http/loop.h"

namespace quire::http {

struct Timeouts {
  std::chrono::milliseconds request{10'000};  // from a request's first byte to its last
  std::chrono::milliseconds idle{60'000};     // between requests
  std::chrono::milliseconds answer{60'000};   // until the client has taken an answer
};

struct Shared {
  Answering& application;
  Metrics& metrics;
  std::vector<Network> trusted_proxies;
  Timeouts timeouts;
};

class Connection {
 public:
  using Socket = boost::asio::ip::tcp::socket;

  Connection(Socket socket, Loop& loop, Shared& shared);
  ~Connection();

  // Serves until the client, a deadline or the server's stop ends it.
  static Awaitable<void> serve(std::unique_ptr<Connection> connection);

  Time deadline() const { return deadline_; }
  bool idle() const { return idle_; }
  void close();

 private:
  enum class Next { answer, close };
  struct Exchange;

  Awaitable<Next> read(Exchange& exchange);
  Awaitable<bool> read_more();
  void check_header(Exchange& exchange);
  Awaitable<void> invite_body(const Exchange& exchange);
  Awaitable<void> refuse(boost::system::error_code why);
  Awaitable<void> drain();
  Awaitable<bool> respond(Exchange& exchange);
  Awaitable<bool> write(const Response& response, bool with_body, bool keep, unsigned version);
  void set_deadline(std::chrono::milliseconds from_now);

  Socket socket_;
  Loop& loop_;
  Shared& shared_;
  boost::asio::ip::address peer_;
  boost::beast::flat_buffer buffer_;
  std::string head_;  // of the answer being written
  std::string request_id_;
  Time deadline_;
  bool idle_ = true;
  bool closed_ = false;
};

}  // namespace quire::http
