// Sends requests to one origin over connections it keeps: HTTP/1.1 by Beast, TLS by OpenSSL.
// Used on one loop; not thread-safe.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "dynamodb/address.h"
#include "dynamodb/retry.h"
#include "dynamodb/signing.h"
#include "loop/gate.h"

namespace quire::dynamodb {

struct Reply {
  unsigned status;
  std::string body;
  std::string crc32 = {};        // the service's checksum of the body; empty: it sent none
  std::string date = {};         // the Date header
  std::string retry_after = {};  // how long to wait, in milliseconds; empty: the service names none
};
// A reply, or the reason why there is none.
using Exchanged = std::variant<Reply, Failure>;

class Connections {
 public:
  static constexpr std::size_t max_open = 256;
  static constexpr std::size_t max_waiting = 4096;
  static constexpr std::chrono::seconds max_idle{20};  // servers close connections idle for longer

  Connections(boost::asio::io_context& context, Origin origin);
  ~Connections();
  Connections(const Connections&) = delete;

  // Sends the message and reads its reply, all until the deadline: the waiting for a free
  // connection and for the addresses of the origin's name too.
  Awaitable<Exchanged> exchange(Message message, Deadline deadline);

  std::size_t open() const { return gate_.inside() + idle_.size(); }

 private:
  class Connection;

  std::unique_ptr<Connection> idle();

  boost::asio::io_context& context_;
  boost::asio::ssl::context tls_;
  Origin origin_;
  std::string host_;  // of the origin, as name servers and certificates write it
  Lookup lookup_;
  Gate gate_;
  std::vector<std::unique_ptr<Connection>> idle_;  // the last used at the end
};

}  // namespace quire::dynamodb
