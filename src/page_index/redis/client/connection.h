// One connection to Redis, from its opening until it breaks. It sends requests as they come, and
// Redis answers in the same order. Lives on one loop; not thread-safe.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "loop/awaitable.h"
#include "loop/gate.h"
#include "page_index/redis/client/address.h"
#include "page_index/redis/client/reply.h"
#include "quire/result.h"

namespace quire::redis {

// A socket: TCP, or TLS over TCP. TLS checks the certificate and the name of the host.
// Lives on one loop; not thread-safe.
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

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  static constexpr std::chrono::seconds max_opening{5};
  static constexpr std::size_t max_unanswered = 1024;

  // Uses TLS if `tls` is given.
  Connection(boost::asio::io_context& context, boost::asio::ssl::context* tls,
             RedisAddress address);

  // Begins to connect. The connection must be in a shared_ptr, and holds itself while it is busy.
  void open();
  // The reply, which may be a refusal. Requests wait until the connection is open. `replies`: of
  // several requests at once the last reply counts.
  Awaitable<Result<Reply>> ask(std::string request, Deadline deadline, std::size_t replies = 1);
  // Whether a replica has all that was written through this connection until now. Callers at the
  // same time share a question. Gives up after `timeout`, or when `hopeless` says so.
  Awaitable<bool> replicated(Milliseconds timeout, std::function<bool()> hopeless);
  void close(Error why);

  std::size_t unanswered() const { return unanswered_.size(); }
  const std::optional<Error>& broken() const { return broken_; }
  Deadline broken_at() const { return broken_at_; }
  bool opened() const { return opened_; }  // stays true after it breaks
  Deadline opened_at() const { return opened_at_; }

 private:
  struct SentCommands {
    boost::asio::steady_timer timer;
    std::size_t replies;  // that are to come
    std::optional<Result<Reply>> answer = {};
  };
  using Self = std::shared_ptr<Connection>;

  static Awaitable<void> live(Self self);
  static Awaitable<void> send(Self self);
  void flush();

  Error late() const;

  // The steps of opening. Absent: success.
  Awaitable<Status> shake_hands();
  Awaitable<Status> authenticate();
  Awaitable<Status> select();
  Awaitable<Status> check_eviction_policy();
  Awaitable<Result<Reply>> ask_alone(std::string request);
  Awaitable<Result<Reply>> receive();

  boost::asio::io_context& context_;
  RedisAddress address_;
  Socket socket_;
  Replies replies_;
  std::array<char, 64 << 10> buffer_;
  boost::asio::steady_timer opening_;
  std::deque<std::shared_ptr<SentCommands>> unanswered_;  // also those whose caller gave up
  std::string unsent_;
  // Questions to replicas: how many were sent, and up to which one they were answered.
  std::uint64_t waits_sent_ = 0, waits_answered_ = 0;
  bool replicated_ = true;  // the last answer
  bool sending_ = false;
  bool connected_ = false;  // the TCP or TLS connection stands
  bool opened_ = false;     // Redis accepted the connection
  Deadline opened_at_;
  std::optional<Error> broken_;
  Deadline broken_at_;
};

}  // namespace quire::redis
