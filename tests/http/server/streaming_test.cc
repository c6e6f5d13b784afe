// Bodies that a handler takes as they come.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "http/server/server.h"

namespace quire::http {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t max_waiting = 256 * 1024;  // that waits for the client

// Says each byte that it takes, as far as there is room, and last how many it took.
class Taker : public BodyTaker {
 public:
  struct Seen {
    std::atomic<std::size_t> taken = 0;
    std::atomic<int> ended = 0, whole = 0;
  };
  Taker(Seen& seen, std::size_t wants) : seen_(seen), wants_(wants) {}

  Awaitable<bool> take(std::string_view bytes) override {
    EXPECT_FALSE(bytes.empty());
    seen_.taken += bytes.size();
    said_ += bytes.substr(0, max_waiting - said_.size());
    co_return seen_.taken < wants_;
  }
  Awaitable<void> end(bool whole) override {
    ++seen_.ended;
    seen_.whole += whole;
    said_ += fmt::format("|{}", seen_.taken.load());
    co_return;
  }
  std::string said() override {
    EXPECT_LE(said_.size(), max_waiting + 20);
    return std::exchange(said_, {});
  }

 private:
  Seen& seen_;
  const std::size_t wants_;
  std::string said_;
};

class StreamingHandler : public RequestHandler {
 public:
  std::optional<RoutedResponse> check_header(Request& request) override {
    request.streams = request.method == Verb::post;
    return {};
  }
  Awaitable<RoutedResponse> answer(Request& request) override {
    Response response;
    bool refuses = request.target == "/refused";
    if (refuses) response.status = 503;
    if (request.method == Verb::post && !refuses)
      response.taker = std::make_shared<Taker>(seen, wants);
    co_return RoutedResponse{std::move(response), 0};
  }
  void stop() override {}

  Taker::Seen seen;
  std::size_t wants = SIZE_MAX;
};

class StreamingTest : public testing::Test {
 protected:
  void start(Timeouts timeouts = {}) {
    ServerOptions options;
    options.listen = {boost::asio::ip::make_address("127.0.0.1"), 0};
    options.threads = 1;
    options.timeouts = timeouts;
    server_.emplace(handler_, metrics_, std::move(options));
    thread_ = std::thread([this] { server_->run(); });
    socket_.connect(server_->endpoint());
    timeval minute{.tv_sec = 60, .tv_usec = 0};
    setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute);
  }
  void TearDown() override {
    server_->stop();
    thread_.join();
  }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      auto sent = ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // Reads until the text has come, or the connection has ended.
  const std::string& receive(std::string_view until = {"\0", 1}) {
    char room[1 << 16];
    while (received_.find(until) == received_.npos) {
      auto size = ::recv(socket_.native_handle(), room, sizeof room, 0);
      if (size <= 0) break;
      received_.append(room, static_cast<std::size_t>(size));
    }
    return received_;
  }
  static std::string post(std::string_view lines, std::string_view target = "/") {
    return fmt::format("POST {} HTTP/1.1\r\nHost: a\r\n{}\r\n", target, lines);
  }

  boost::asio::io_context context_;  // of the client, which does not run it
  boost::asio::ip::tcp::socket socket_{context_};
  std::string received_;
  StreamingHandler handler_;
  Metrics metrics_{{"/"}};
  std::optional<Server> server_;
  std::thread thread_;
};

TEST_F(StreamingTest, AreOfAnyLengthAndTheConnectionGoesOn) {
  start();
  const std::string body(3 << 20, 'x');
  send(post(fmt::format("Content-Length: {}\r\n", body.size())));
  std::thread sender(
      [&] { send(body + "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"); });
  receive("0\r\n\r\n");
  receive();
  sender.join();
  EXPECT_EQ(handler_.seen.taken, body.size());
  EXPECT_EQ(handler_.seen.whole, 1);
  EXPECT_NE(received_.find("Transfer-Encoding: chunked\r\n"), received_.npos);
  EXPECT_NE(received_.find("|3145728\r\n0\r\n\r\nHTTP/1.1 200 "), received_.npos);
}

TEST_F(StreamingTest, ComeInChunksAndAreAnsweredMeanwhile) {
  start();
  send(post("Transfer-Encoding: chunked\r\n") + "3\r\nabc\r\n");
  EXPECT_TRUE(receive("abc").starts_with("HTTP/1.1 200 ")) << "before the body has ended";
  send("2\r\nde\r\n0\r\n\r\n");
  EXPECT_NE(receive("0\r\n\r\n").find("|5"), received_.npos);
  EXPECT_EQ(handler_.seen.whole, 1);
}

TEST_F(StreamingTest, AreReadThoughTheAnswerIsNot) {
  start();
  const std::string body(16 << 20, 'x');
  send(post(fmt::format("Content-Length: {}\r\n", body.size())) + body);  // returns: all is taken
  receive("0\r\n\r\n");
  EXPECT_EQ(handler_.seen.taken, body.size());
  EXPECT_NE(received_.find("|16777216"), received_.npos);
}

TEST_F(StreamingTest, EndWhereTheHandlerTakesNoMore) {
  handler_.wants = 4;
  start();
  send(post("Content-Length: 1000\r\n") + "12345");
  receive();
  EXPECT_NE(received_.find("|5"), received_.npos);
  EXPECT_TRUE(received_.ends_with("0\r\n\r\n"));
  EXPECT_EQ(handler_.seen.ended, 1);
  EXPECT_EQ(handler_.seen.whole, 0);
}

TEST_F(StreamingTest, OfARefusedRequestAreNotTaken) {
  start();
  send(post("Content-Length: 1000\r\n", "/refused") + "12345");
  socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_send);
  EXPECT_TRUE(receive().starts_with("HTTP/1.1 503 "));
  EXPECT_EQ(handler_.seen.taken, 0u);
}

TEST_F(StreamingTest, ThatAreSilentEndTheirConnection) {
  start({.request = 100ms, .idle = 900ms});
  send(post("Content-Length: 1000\r\n") + "12345");
  receive();
  while (handler_.seen.ended == 0) std::this_thread::yield();  // the taker learns it afterwards
  EXPECT_EQ(handler_.seen.whole, 0);
  EXPECT_EQ(received_.find('|'), received_.npos);
  EXPECT_EQ(metrics_.timed_out->Value(), 1);
}

TEST_F(StreamingTest, WithWrongChunksOrAnEndAreNotWhole) {
  for (std::string_view wrong : {"zz\r\n", ""}) {
    handler_.seen.ended = 0;
    start();
    send(post("Transfer-Encoding: chunked\r\n") + "3\r\nabc\r\n" + std::string(wrong));
    socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_send);
    receive();
    while (handler_.seen.ended == 0) std::this_thread::yield();
    EXPECT_EQ(received_.find('|'), received_.npos);
    socket_.close();
    if (!wrong.empty()) TearDown();
  }
  EXPECT_EQ(handler_.seen.whole, 0);
}

}  // namespace
}  // namespace quire::http
