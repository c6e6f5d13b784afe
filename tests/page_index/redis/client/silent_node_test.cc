// A cluster of which one node is silent: requests to the others go on.
#include <gtest/gtest.h>

#include "loop/loop.h"
#include "page_index/redis/client/cluster.h"
#include "page_index/redis/client/scripted_redis.h"

namespace quire::redis {
namespace {

constexpr Milliseconds no_limit{3'600'000};  // longer than a test may take
// In the first half of the slots, and in the second.
const std::string of_first = "{b}", of_second = "{a}";

class RedisSilentNode : public testing::Test {
 protected:
  RedisSilentNode() {
    EXPECT_LT(slot_of(of_first), slot_count / 2);
    EXPECT_GE(slot_of(of_second), slot_count / 2);
    first_.answers([this](const Words& words) { return answer(words); });
    second_.answers([this](const Words& words) { return answer(words); });
    EXPECT_EQ(ask(of_first), "a");
    EXPECT_EQ(ask(of_second), "a");
  }

  Scripted answer(const Words& words) const {
    if (words[0] != "CLUSTER") return {"+a\r\n"};
    auto half = [](std::size_t from, const ScriptedRedis& server) {
      return "*3\r\n:" + std::to_string(from) +
             "\r\n:" + std::to_string(from + slot_count / 2 - 1) +
             "\r\n*2\r\n$9\r\n127.0.0.1\r\n:" + server.port() + "\r\n";
    };
    return {"*2\r\n" + half(0, first_) + half(slot_count / 2, second_)};
  }
  Awaitable<Result<Reply>> asking(std::string key, Milliseconds timeout) {
    static const Script script("return 'a'");
    return cluster_.call({script, {std::move(key)}}, Deadline::clock::now() + timeout);
  }
  // Until a map may be asked for again.
  static Awaitable<bool> rest() {
    co_await pause(Cluster::between_maps + Milliseconds(10));
    co_return true;
  }
  std::string ask(std::string key, Milliseconds timeout = no_limit) {
    auto reply = loop_.run(asking(std::move(key), timeout));
    return reply ? reply->bytes : reply.error().message;
  }

  OneLoop loop_;
  ScriptedRedis first_{loop_.context()}, second_{loop_.context()};
  Cluster cluster_{loop_.context(), {.host = "127.0.0.1", .port = first_.port()}};
};

TEST_F(RedisSilentNode, IsAskedForAMapLast) {
  first_.answers([](const Words&) { return std::nullopt; });
  for (int i = 0; i < 4; ++i) {
    auto before = first_.questions().size();
    EXPECT_NE(ask(of_first, Milliseconds(20)), "a");
    EXPECT_EQ(first_.questions().size(), before + 1) << "the request alone";
    (void)loop_.run(rest());
  }
}

// No node gives a map: the request that looks for one waits, the next does not.
TEST_F(RedisSilentNode, DoesNotHoldUpRequestsToOthers) {
  first_.answers([](const Words&) { return std::nullopt; });
  EXPECT_NE(ask(of_first, Milliseconds(20)), "a");
  (void)loop_.run(rest());
  second_.answers([](const Words& words) -> std::optional<Scripted> {
    if (words[0] == "CLUSTER") return std::nullopt;
    return Scripted{"+a\r\n"};
  });
  std::vector<std::string> order;
  auto ask = [&](std::string name, Milliseconds timeout) -> Awaitable<bool> {
    auto reply = co_await asking(of_second, timeout);
    order.push_back(name);
    co_return reply.ok();
  };
  std::vector<Awaitable<bool>> works;
  works.push_back(ask("looks", Milliseconds(300)));
  works.push_back(ask("goes on", no_limit));
  auto done = loop_.run(all(std::move(works)));
  EXPECT_TRUE(done[1]);
  EXPECT_EQ(order, (std::vector<std::string>{"goes on", "looks"}));
}

}  // namespace
}  // namespace quire::redis
