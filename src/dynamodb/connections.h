// Sends requests to one origin over connections that are kept: HTTP/1.1 by Beast, TLS by OpenSSL.
// Lives on one loop; not thread-safe.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "dynamodb/address.h"
#include "dynamodb/errors.h"
#include "dynamodb/signing.h"
#include "loop/gate.h"

namespace quire::dynamodb {

struct Reply {
  unsigned status;
  std::string body;
  std::string crc32 = {};        // of the body, as the service says; empty: it does not
  std::string date = {};         // its clock, as HTTP writes it
  std::string retry_after = {};  // in seconds or, in its own header, milliseconds
};
// A reply, or why there is none.
using Exchanged = std::variant<Reply, Failure>;

class Connections {
 public:
  static constexpr std::size_t max_open = 256;
  static constexpr std::size_t max_waiting = 4096;
  static constexpr std::chrono::seconds max_idle{20};  // servers close what is idle for longer

  Connections(boost::asio::io_context& context, Origin origin);
  ~Connections();
  Connections(const Connections&) = delete;

  // Sends the message and reads what comes back. Waits for a free connection, too, until the
  // deadline.
  Awaitable<Exchanged> exchange(Message message, Deadline deadline);

  std::size_t open() const { return gate_.inside() + idle_.size(); }

 private:
  class Connection;

  std::unique_ptr<Connection> idle();

  boost::asio::io_context& context_;
  boost::asio::ssl::context tls_;
  Origin origin_;
  Gate gate_;
  std::vector<std::unique_ptr<Connection>> idle_;  // the one used last at the end
};

}  // namespace quire::dynamodb
