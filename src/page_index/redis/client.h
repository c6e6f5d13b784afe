// Sends requests to one Redis, over few connections that are kept and opened again.
// Lives and dies on one loop; not thread-safe.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "page_index/redis/call.h"
#include "page_index/redis/connection.h"

namespace quire::redis {

class Client {
 public:
  static constexpr std::size_t most_connections = 4;
  static constexpr std::size_t most_unanswered = 1024;
  static constexpr std::size_t most_waiting = 4096;
  // After a connection that did not come about.
  static constexpr std::chrono::milliseconds pause{500};

  Client(boost::asio::io_context& context, RedisAddress address);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // The answer, never a refusal. unavailable: there is none; whether what was asked was done is not
  // known.
  Awaitable<Result<Reply>> call(Call call);
  Awaitable<Result<Reply>> ask(std::string request, Milliseconds patience);

 private:
  Awaitable<Result<Reply>> answer(std::string request, Deadline deadline);
  std::shared_ptr<Connection> connection();
  void drop_broken();

  boost::asio::io_context& context_;
  boost::asio::ssl::context tls_;
  RedisAddress address_;
  Gate gate_;
  std::vector<std::shared_ptr<Connection>> connections_;
  std::optional<Error> failed_;  // why the last one did not come about
  Deadline not_before_;
};

}  // namespace quire::redis
