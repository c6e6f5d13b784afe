// Requests over real sockets, to a server in the same process.
#include "dynamodb/connections.h"

#include <gtest/gtest.h>

#include "dynamodb/scripted_server.h"
#include "loop/loop.h"

namespace quire::dynamodb {
namespace {

namespace asio = boost::asio;

using Then = ScriptedServer::Then;

constexpr std::chrono::hours long_time{1};  // longer than a test may take

Deadline in(Deadline::duration time) {
  return std::chrono::steady_clock::now() + time;
}

class Sockets : public testing::Test {
 protected:
  Message message() const {
    return {.headers = {{"host", "127.0.0.1:" + server_.port()}, {"x-amz-target", "Query"}},
            .body = "{}"};
  }
  Exchanged exchange(Deadline::duration patience = long_time) {
    return loop_.run(connections_.exchange(message(), in(patience)));
  }
  // Waits until this end notices what happens at the other end.
  void pass() {
    auto work = [](asio::io_context& context) -> Awaitable<bool> {
      asio::steady_timer timer(context, std::chrono::milliseconds(20));
      co_await timer.async_wait(asio::use_awaitable);
      co_return true;
    };
    loop_.run(work(loop_.context()));
  }

  static std::string body(const Exchanged& exchanged) {
    auto* reply = std::get_if<Reply>(&exchanged);
    return reply ? reply->body : "no reply: " + std::get<Failure>(exchanged).message;
  }
  // The reason why there is no reply; whether the request was applied is not known.
  static std::string failure(const Exchanged& exchanged) {
    auto* failure = std::get_if<Failure>(&exchanged);
    if (!failure) return "a reply";
    EXPECT_EQ(failure->kind, FailureKind::transient);
    EXPECT_EQ(failure->name, "");
    return failure->message;
  }

  OneLoop loop_;
  ScriptedServer server_{loop_.context()};
  Connections connections_{loop_.context(), {false, "127.0.0.1", server_.port()}};
};

TEST_F(Sockets, CarryARequestAndItsReply) {
  server_.answers(
      "HTTP/1.1 400 Bad Request\r\nContent-Length: 7\r\nx-amz-crc32: 12\r\n"
      "Date: Wed, 20 Nov 2024 12:00:00 GMT\r\nRetry-After: 3\r\n\r\n{\"a\":1}");
  Message message = this->message();
  message.query = "a=b";
  auto exchanged = loop_.run(connections_.exchange(message, in(long_time)));
  ASSERT_EQ(body(exchanged), R"({"a":1})");
  auto& reply = std::get<Reply>(exchanged);
  EXPECT_EQ(reply.status, 400u);
  EXPECT_EQ(reply.crc32, "12");
  EXPECT_EQ(reply.date, "Wed, 20 Nov 2024 12:00:00 GMT");
  EXPECT_EQ(reply.retry_after, "3000");
  auto& request = server_.requests().at(0);
  EXPECT_EQ(request.method_string(), "POST");
  EXPECT_EQ(request.target(), "/?a=b");
  EXPECT_EQ(request.version(), 11u);
  EXPECT_EQ(request["host"], "127.0.0.1:" + server_.port());
  EXPECT_EQ(request["x-amz-target"], "Query");
  EXPECT_EQ(request["content-length"], "2");
  EXPECT_EQ(request.body(), "{}");
}

TEST_F(Sockets, PreferTheServicesWaitToTheProxys) {
  server_.answers(http("{}", "x-amz-retry-after: 700\r\nRetry-After: 3\r\n"));
  EXPECT_EQ(std::get<Reply>(exchange()).retry_after, "700");
}

TEST_F(Sockets, AreUsedAgain) {
  server_.answers(http("{1}"));
  server_.answers(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{2\r\n1\r\n}\r\n0\r\n\r\n");
  server_.answers(http(""));
  server_.answers(http("{4}"));
  for (auto expected : {"{1}", "{2}", "", "{4}"}) EXPECT_EQ(body(exchange()), expected);
  EXPECT_EQ(server_.accepted(), 1u);
  EXPECT_EQ(connections_.open(), 1u);
}

TEST_F(Sockets, AreNotUsedAgainWhenTheServerSaysSo) {
  server_.answers(http("{1}", "Connection: close\r\n"));
  server_.answers("HTTP/1.0 200 OK\r\n\r\n{2}", Then::close);  // its end is that of the connection
  server_.answers(http("{3}"));
  for (auto expected : {"{1}", "{2}", "{3}"}) EXPECT_EQ(body(exchange()), expected);
  EXPECT_EQ(server_.accepted(), 3u);
}

TEST_F(Sockets, ThatWereClosedMeanwhileAreNotUsed) {
  for (auto then : {Then::close, Then::reset}) {
    server_.answers(http("{1}"), then);
    server_.answers(http("{2}"));
    EXPECT_EQ(body(exchange()), "{1}");
    pass();
    EXPECT_EQ(body(exchange()), "{2}");
  }
}

TEST_F(Sockets, ThatWereClosedMeanwhileAreGivenUpThoughOthersAreUsed) {
  server_.answers(http("{1}"), Then::close);
  server_.answers(http("{2}"));
  server_.answers(http("{3}"));
  server_.hold(2);
  std::vector<Awaitable<Exchanged>> works;
  for (int i = 0; i < 2; ++i) works.push_back(connections_.exchange(message(), in(long_time)));
  loop_.run(all(std::move(works)));
  pass();
  EXPECT_EQ(body(exchange()), "{3}");
  EXPECT_EQ(server_.accepted(), 2u);
  EXPECT_EQ(connections_.open(), 1u);
}

TEST_F(Sockets, ThatCarryMoreThanTheReplyAreNotUsedAgain) {
  server_.answers(http("{1}") + http("{of nobody}"));
  server_.answers(http("{2}"));
  EXPECT_EQ(body(exchange()), "{1}");
  pass();
  EXPECT_EQ(body(exchange()), "{2}");
}

TEST_F(Sockets, ThatBreakInTheMiddleOfAReplyGiveNoReply) {
  for (auto then : {Then::close, Then::reset}) {
    for (auto part : {"", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}",
                      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"}) {
      server_.answers(part, then);
      EXPECT_TRUE(failure(exchange()).starts_with("the answer broke off: ")) << part;
    }
  }
  server_.answers(http("{}"));
  EXPECT_EQ(body(exchange()), "{}");
}

TEST_F(Sockets, ThatCarryNoHttpGiveNoReply) {
  for (auto odd : {"SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"}) {
    server_.answers(odd);
    EXPECT_TRUE(failure(exchange()).starts_with("the answer broke off: ")) << odd;
  }
}

TEST_F(Sockets, WaitForAReplyUntilTheDeadline) {
  server_.answers(http("{}"));
  EXPECT_EQ(body(exchange()), "{}");
  auto silent = exchange(std::chrono::milliseconds(20));
  EXPECT_EQ(failure(silent), "the answer broke off: The socket was closed due to a timeout");
  EXPECT_EQ(server_.requests().size(), 2u);
  EXPECT_EQ(server_.accepted(), 1u) << "the deadline is not that of the request before";
  server_.answers("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{");
  EXPECT_TRUE(failure(exchange(std::chrono::milliseconds(20))).ends_with("timeout"));
  EXPECT_EQ(connections_.open(), 0u);
  server_.answers(http("{}"));
  EXPECT_EQ(body(exchange()), "{}");
}

TEST_F(Sockets, TakeAReplyUpToALimit) {
  constexpr std::size_t most = 128 << 20, of_many_items = 33 << 20;
  server_.answers(http(std::string(of_many_items, ' ')));
  EXPECT_EQ(body(exchange()).size(), of_many_items);
  auto more = std::to_string(most + 1);
  server_.answers("HTTP/1.1 200 OK\r\nContent-Length: " + more + "\r\n\r\n", Then::close);
  EXPECT_EQ(failure(exchange()), "the answer broke off: body limit exceeded");
  server_.answers("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8000001\r\n ", Then::close);
  EXPECT_EQ(failure(exchange()), "the answer broke off: body limit exceeded");
}

TEST_F(Sockets, AreLimitedInNumberAndWaitedFor) {
  constexpr std::size_t many = Connections::max_open + 44;
  for (std::size_t i = 0; i < many; ++i) server_.answers(http("{}"));
  server_.hold(Connections::max_open);
  std::vector<Awaitable<Exchanged>> works;
  for (std::size_t i = 0; i < many; ++i)
    works.push_back(connections_.exchange(message(), in(long_time)));
  for (const auto& exchanged : loop_.run(all(std::move(works)))) EXPECT_EQ(body(exchanged), "{}");
  EXPECT_EQ(server_.accepted(), Connections::max_open);
  EXPECT_EQ(connections_.open(), Connections::max_open);
}

TEST_F(Sockets, AreWaitedForUntilTheDeadline) {
  for (std::size_t i = 0; i < Connections::max_open; ++i) server_.answers(http("{}"));
  server_.hold(Connections::max_open + 1);
  auto late = [&]() -> Awaitable<Exchanged> {
    auto exchanged = co_await connections_.exchange(message(), in(std::chrono::milliseconds(20)));
    server_.release();
    co_return exchanged;
  };
  std::vector<Awaitable<Exchanged>> works;
  for (std::size_t i = 0; i < Connections::max_open; ++i)
    works.push_back(connections_.exchange(message(), in(long_time)));
  works.push_back(late());
  auto exchanged = loop_.run(all(std::move(works)));
  EXPECT_EQ(failure(exchanged.back()), "too many requests wait for a connection");
  exchanged.pop_back();
  for (const auto& each : exchanged) EXPECT_EQ(body(each), "{}");
}

TEST_F(Sockets, ReachAnIPv6Address) {
  ScriptedServer server(loop_.context(), nullptr, "::1");
  Connections connections(loop_.context(), parse_origin("http://[::1]:" + server.port()).value());
  server.answers(http("{}"));
  EXPECT_EQ(body(loop_.run(connections.exchange(message(), in(long_time)))), "{}");
}

TEST_F(Sockets, NameTheServerTheyCannotReach) {
  asio::ip::tcp::socket taken(loop_.context(), {asio::ip::make_address("127.0.0.1"), 0});
  auto port = std::to_string(taken.local_endpoint().port());
  Connections nobody(loop_.context(), {false, "127.0.0.1", port});
  EXPECT_EQ(failure(loop_.run(nobody.exchange(message(), in(long_time)))),
            "cannot reach 127.0.0.1:" + port + ": Connection refused");
  Connections nowhere(loop_.context(), {false, "nowhere.invalid", "80"});
  EXPECT_TRUE(failure(loop_.run(nowhere.exchange(message(), in(long_time))))
                  .starts_with("cannot reach nowhere.invalid: "));
  EXPECT_EQ(nowhere.open(), 0u);
}

}  // namespace
}  // namespace quire::dynamodb
