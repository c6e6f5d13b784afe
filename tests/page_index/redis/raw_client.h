// For tests of the page index in Redis: the address of a server, and requests to it.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <future>

#include "loop/loop.h"
#include "page_index/redis/client/cluster.h"
#include "page_index/redis/index.h"
#include "redis_server.h"

namespace quire::redis {

inline RedisAddress address_of(const RedisServer& server, std::string_view password = "") {
  return parse_redis_address(server.address(), password).value();
}

// Sends commands to a server, as redis-cli does.
class RawClient {
 public:
  explicit RawClient(const RedisServer& server) : RawClient(address_of(server)) {}
  explicit RawClient(RedisAddress address)
      : client_(std::make_unique<NodeClient>(loop_.context(), std::move(address))) {}
  ~RawClient() {
    std::packaged_task<void()> end([this] { client_.reset(); });
    auto ended = end.get_future();
    boost::asio::post(loop_.context(), [end = std::move(end)]() mutable { end(); });
    ended.wait();
  }

  Result<Reply> operator()(std::vector<std::string_view> words) {
    return wait(loop_.run(ask(request(words))));
  }

 private:
  Awaitable<Result<Reply>> ask(std::string request) {
    auto deadline = Deadline::clock::now() + Milliseconds(30'000);
    auto reply = co_await client_->answer(std::move(request), deadline, {});
    co_return accepted(std::move(reply));
  }

  LoopThread loop_;
  std::unique_ptr<NodeClient> client_;
};

// Retries until it succeeds: after a restart, the index must first notice its broken connection.
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
