// Requests over real sockets, to a server in the same process.
#include "client/http_client.h"

#include <gtest/gtest.h>

#include "client/scripted_server.h"
#include "loop/loop.h"

namespace quire {
namespace {

namespace asio = boost::asio;

using Then = ScriptedServer::Then;

constexpr std::chrono::hours long_time{1};  // longer than a test may take

Deadline in(Deadline::duration time) {
  return std::chrono::steady_clock::now() + time;
}

class Sockets : public testing::Test {
 protected:
  static HttpRequest request() { return {.headers = {{"x-amz-target", "Query"}}, .body = "{}"}; }
  Result<HttpResponse> send(Deadline::duration patience = long_time) {
    return loop_.run(client_.send(request(), in(patience)));
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

  static std::string body(const Result<HttpResponse>& response) {
    return response ? response->body : "no response: " + response.error().message;
  }
  // The reason why there is no response; whether the request was applied is not known.
  static std::string failure(const Result<HttpResponse>& response) {
    if (response) return "a response";
    EXPECT_EQ(response.error().code, ErrorCode::unavailable);
    return response.error().message;
  }

  OneLoop loop_;
  ScriptedServer server_{loop_.context()};
  HttpClient client_{loop_.context(), {false, "127.0.0.1", server_.port()}};
};

TEST_F(Sockets, CarryARequestAndItsResponse) {
  server_.answers(
      "HTTP/1.1 400 Bad Request\r\nContent-Length: 7\r\nx-amz-crc32: 12\r\n"
      "Date: Wed, 20 Nov 2024 12:00:00 GMT\r\nRetry-After: 3\r\n\r\n{\"a\":1}");
  HttpRequest sent = request();
  sent.query = "a=b";
  auto response = loop_.run(client_.send(sent, in(long_time)));
  ASSERT_EQ(body(response), R"({"a":1})");
  EXPECT_EQ(response->status, 400u);
  EXPECT_EQ(response->header("X-Amz-Crc32"), "12") << "names have any case";
  EXPECT_EQ(response->header("date"), "Wed, 20 Nov 2024 12:00:00 GMT");
  EXPECT_EQ(response->header("retry-after"), "3");
  EXPECT_EQ(response->header("x-amz-retry-after"), "");
  auto& request = server_.requests().at(0);
  EXPECT_EQ(request.method_string(), "POST");
  EXPECT_EQ(request.target(), "/?a=b");
  EXPECT_EQ(request.version(), 11u);
  EXPECT_EQ(request["host"], "127.0.0.1:" + server_.port());
  EXPECT_EQ(request["x-amz-target"], "Query");
  EXPECT_EQ(request["content-length"], "2");
  EXPECT_EQ(request.body(), "{}");
}

TEST_F(Sockets, AreUsedAgain) {
  server_.answers(success("{1}"));
  server_.answers(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{2\r\n1\r\n}\r\n0\r\n\r\n");
  server_.answers(success(""));
  server_.answers(success("{4}"));
  for (auto expected : {"{1}", "{2}", "", "{4}"}) EXPECT_EQ(body(send()), expected);
  EXPECT_EQ(server_.accepted(), 1u);
  EXPECT_EQ(client_.open(), 1u);
}

TEST_F(Sockets, AreNotUsedAgainWhenTheServerSaysSo) {
  server_.answers(success("{1}", "Connection: close\r\n"));
  server_.answers("HTTP/1.0 200 OK\r\n\r\n{2}", Then::close);  // its end is that of the connection
  server_.answers(success("{3}"));
  for (auto expected : {"{1}", "{2}", "{3}"}) EXPECT_EQ(body(send()), expected);
  EXPECT_EQ(server_.accepted(), 3u);
}

TEST_F(Sockets, ThatWereClosedMeanwhileAreNotUsed) {
  for (auto then : {Then::close, Then::reset}) {
    server_.answers(success("{1}"), then);
    server_.answers(success("{2}"));
    EXPECT_EQ(body(send()), "{1}");
    pass();
    EXPECT_EQ(body(send()), "{2}");
  }
}

TEST_F(Sockets, ThatWereClosedMeanwhileAreGivenUpThoughOthersAreUsed) {
  server_.answers(success("{1}"), Then::close);
  server_.answers(success("{2}"));
  server_.answers(success("{3}"));
  server_.hold(2);
  std::vector<Awaitable<Result<HttpResponse>>> works;
  for (int i = 0; i < 2; ++i) works.push_back(client_.send(request(), in(long_time)));
  loop_.run(all(std::move(works)));
  pass();
  EXPECT_EQ(body(send()), "{3}");
  EXPECT_EQ(server_.accepted(), 2u);
  EXPECT_EQ(client_.open(), 1u);
}

TEST_F(Sockets, ThatCarryMoreThanTheResponseAreNotUsedAgain) {
  server_.answers(success("{1}") + success("{of nobody}"));
  server_.answers(success("{2}"));
  EXPECT_EQ(body(send()), "{1}");
  pass();
  EXPECT_EQ(body(send()), "{2}");
}

TEST_F(Sockets, ThatBreakInTheMiddleOfAResponseGiveNoResponse) {
  for (auto then : {Then::close, Then::reset}) {
    for (auto part : {"", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}",
                      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"}) {
      server_.answers(part, then);
      EXPECT_TRUE(failure(send()).starts_with("the answer broke off: ")) << part;
    }
  }
  server_.answers(success("{}"));
  EXPECT_EQ(body(send()), "{}");
}

// For whom the status is enough.
TEST_F(Sockets, MayBreakBehindTheStatus) {
  auto status_alone = request();
  status_alone.status_alone = true;
  for (auto part : {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}",
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
                    "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"}) {
    server_.answers(part, Then::close);
    auto response = loop_.run(client_.send(status_alone, in(long_time)));
    ASSERT_TRUE(response) << part << response.error().message;
    EXPECT_EQ(response->status, 200u);
  }
  server_.answers("HTTP/1.1 20", Then::close);
  EXPECT_FALSE(loop_.run(client_.send(status_alone, in(long_time))));
  server_.answers(success("{}"));
  EXPECT_EQ(body(send()), "{}");
}

TEST_F(Sockets, PassOverAnswersThatComeBefore) {
  std::string early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  server_.answers("HTTP/1.1 100 Continue\r\n\r\n" + early + early + success("{1}"));
  EXPECT_EQ(body(send()), "{1}");
  std::string many;
  for (int i = 0; i < 100; ++i) many += early;
  server_.answers(many + success("{2}"));
  EXPECT_EQ(failure(send()), "the answer has too many parts of 1xx");
}

TEST_F(Sockets, ThatCarryNoHttpGiveNoResponse) {
  for (auto odd : {"SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"}) {
    server_.answers(odd);
    EXPECT_TRUE(failure(send()).starts_with("the answer broke off: ")) << odd;
  }
}

TEST_F(Sockets, WaitForAResponseUntilTheDeadline) {
  // Long enough to reach the server on a busy machine: what it does not take is for the next.
  constexpr std::chrono::milliseconds enough{500};
  server_.answers(success("{}"));
  EXPECT_EQ(body(send()), "{}");
  auto silent = send(enough);
  EXPECT_EQ(failure(silent), "the answer broke off: The socket was closed due to a timeout");
  EXPECT_EQ(server_.requests().size(), 2u);
  EXPECT_EQ(server_.accepted(), 1u) << "the deadline is not that of the request before";
  server_.answers("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{");
  EXPECT_TRUE(failure(send(enough)).ends_with("timeout"));
  EXPECT_EQ(client_.open(), 0u);
  server_.answers(success("{}"));
  EXPECT_EQ(body(send()), "{}");
}

TEST_F(Sockets, TakeAResponseUpToALimit) {
  constexpr std::size_t most = HttpClient::max_body_bytes, of_many_items = 33 << 20;
  server_.answers(success(std::string(of_many_items, ' ')));
  EXPECT_EQ(body(send()).size(), of_many_items);
  auto more = std::to_string(most + 1);
  server_.answers("HTTP/1.1 200 OK\r\nContent-Length: " + more + "\r\n\r\n", Then::close);
  EXPECT_EQ(failure(send()), "the answer broke off: body limit exceeded");
  server_.answers("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8000001\r\n ", Then::close);
  EXPECT_EQ(failure(send()), "the answer broke off: body limit exceeded");
}

TEST_F(Sockets, TakeAResponseUpToTheLimitOfTheirClient) {
  HttpClient client(loop_.context(), {false, "127.0.0.1", server_.port()}, 3);
  server_.answers(success("{1}"));
  server_.answers(success("{12}"));
  EXPECT_EQ(body(loop_.run(client.send(request(), in(long_time)))), "{1}");
  EXPECT_EQ(failure(loop_.run(client.send(request(), in(long_time)))),
            "the answer broke off: body limit exceeded");
}

TEST_F(Sockets, AreLimitedInNumberAndWaitedFor) {
  constexpr std::size_t many = HttpClient::max_open + 44;
  for (std::size_t i = 0; i < many; ++i) server_.answers(success("{}"));
  server_.hold(HttpClient::max_open);
  std::vector<Awaitable<Result<HttpResponse>>> works;
  for (std::size_t i = 0; i < many; ++i) works.push_back(client_.send(request(), in(long_time)));
  for (const auto& response : loop_.run(all(std::move(works)))) EXPECT_EQ(body(response), "{}");
  EXPECT_EQ(server_.accepted(), HttpClient::max_open);
  EXPECT_EQ(client_.open(), HttpClient::max_open);
}

TEST_F(Sockets, AreWaitedForUntilTheDeadline) {
  for (std::size_t i = 0; i < HttpClient::max_open; ++i) server_.answers(success("{}"));
  server_.hold(HttpClient::max_open + 1);
  auto late = [&]() -> Awaitable<Result<HttpResponse>> {
    auto response = co_await client_.send(request(), in(std::chrono::milliseconds(20)));
    server_.release();
    co_return response;
  };
  std::vector<Awaitable<Result<HttpResponse>>> works;
  for (std::size_t i = 0; i < HttpClient::max_open; ++i)
    works.push_back(client_.send(request(), in(long_time)));
  works.push_back(late());
  auto response = loop_.run(all(std::move(works)));
  EXPECT_EQ(failure(response.back()), "no connection was free in time");
  response.pop_back();
  for (const auto& each : response) EXPECT_EQ(body(each), "{}");
}

TEST_F(Sockets, ReachAnIPv6Address) {
  ScriptedServer server(loop_.context(), nullptr, "::1");
  HttpClient client(loop_.context(), parse_origin("http://[::1]:" + server.port()).value());
  server.answers(success("{}"));
  EXPECT_EQ(body(loop_.run(client.send(request(), in(long_time)))), "{}");
}

TEST_F(Sockets, NameTheServerTheyCannotReach) {
  asio::ip::tcp::socket taken(loop_.context(), {asio::ip::make_address("127.0.0.1"), 0});
  auto port = std::to_string(taken.local_endpoint().port());
  HttpClient nobody(loop_.context(), {false, "127.0.0.1", port});
  EXPECT_EQ(failure(loop_.run(nobody.send(request(), in(long_time)))),
            "cannot reach 127.0.0.1:" + port + ": Connection refused");
  HttpClient nowhere(loop_.context(), {false, "nowhere.invalid", "80"});
  EXPECT_TRUE(failure(loop_.run(nowhere.send(request(), in(long_time))))
                  .starts_with("cannot reach nowhere.invalid: "));
  EXPECT_EQ(nowhere.open(), 0u);
}

}  // namespace
}  // namespace quire
