// What tests of the page index in Redis share: an index on a server, and the server asked directly.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <future>

#include "loop/wait.h"
#include "page_index/redis/client.h"
#include "page_index/redis/index.h"
#include "redis_server.h"

namespace quire::redis {

inline RedisAddress address_of(const RedisServer& server, std::string_view password = "") {
  return parse_redis_address(server.address(), password).value();
}

// Asks a server as redis-cli does.
class Asking {
 public:
  explicit Asking(const RedisServer& server) : Asking(address_of(server)) {}
  explicit Asking(RedisAddress address)
      : client_(std::make_unique<Client>(loop_.context(), std::move(address))) {}
  ~Asking() {
    std::packaged_task<void()> end([this] { client_.reset(); });
    auto ended = end.get_future();
    boost::asio::post(loop_.context(), [end = std::move(end)]() mutable { end(); });
    ended.wait();
  }

  Result<Reply> operator()(std::vector<std::string_view> words) {
    return wait(loop_.run(client_->ask(request(words), Milliseconds(30'000))));
  }

 private:
  Loop loop_;
  std::unique_ptr<Client> client_;
};

// Tries until it works: after a start, a connection that broke must first be noticed.
template <class Try>
auto eventually(Try attempt) {
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  auto result = attempt();
  while (!result && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    result = attempt();
  }
  return result;
}

}  // namespace quire::redis
