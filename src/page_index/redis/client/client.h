// Sends requests to one Redis over a few connections, which it keeps open and replaces when they
// break. Made and destroyed on one loop; not thread-safe.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "page_index/redis/client/connection.h"
#include "page_index/redis/client/reply.h"

namespace quire::redis {

class Client {
 public:
  static constexpr std::size_t max_connections = 4;
  static constexpr std::size_t max_unanswered = 1024;
  static constexpr std::size_t max_waiting = 4096;
  // The time between two attempts to connect, after a failure.
  static constexpr std::chrono::milliseconds pause{500};
  // How long a write waits for a replica; and how long none is waited for after one was too late.
  static constexpr Milliseconds replica_timeout{200};
  static constexpr Milliseconds without_replica{10'000};

  Client(boost::asio::io_context& context, RedisAddress address);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // The reply, never a refusal. unavailable: there is no reply, or a refusal. Without a reply it is
  // unknown whether Redis ran the request.
  Awaitable<Result<Reply>> call(Call call);
  Awaitable<Result<Reply>> ask(std::string request, Milliseconds timeout);

  // How a node of a cluster is asked.
  struct Manner {
    bool asking = false;      // for keys of a slot that moves to this node
    bool replicated = false;  // a replica should have the write before the reply is returned
  };
  // As call() and ask(), but the reply may be a refusal. `call` must live until then.
  Awaitable<Result<Reply>> answer(const Call& call, Deadline deadline, Manner manner);
  Awaitable<Result<Reply>> answer(std::string request, Deadline deadline, Manner manner);

  // When the youngest of the connections that gave a reply was opened.
  Deadline connected_at() const { return connected_at_; }

 private:
  Awaitable<void> wait_for_replica(Connection& connection);
  std::shared_ptr<Connection> connection();
  void drop_broken();

  boost::asio::io_context& context_;
  boost::asio::ssl::context tls_;
  RedisAddress address_;
  Gate gate_;
  std::vector<std::shared_ptr<Connection>> connections_;
  std::optional<Error> failed_;  // why the last attempt to connect failed
  Deadline not_before_;
  Deadline no_replica_until_;
  Deadline connected_at_;
};

// A refusal as an error.
Result<Reply> accepted(Result<Reply> reply);

}  // namespace quire::redis
