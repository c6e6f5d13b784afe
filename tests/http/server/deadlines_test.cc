// Clients that are slow or silent: the server closes their connections at its deadlines, which are
// short here. It looks at them four times a second.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "http/server/server.h"

namespace quire::http {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t large = 16 * 1024 * 1024;  // bytes of a body; the system takes a part of it
const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n";

// Reads the bodies of posts. The body of /large is large.
class Handler : public RequestHandler {
 public:
  std::optional<RoutedResponse> check_header(Request& request) override {
    request.max_body = request.method == Verb::post ? 1024 : 0;
    return {};
  }
  Awaitable<RoutedResponse> answer(Request& request) override {
    Response response;
    response.body.assign(request.target == "/large" ? large : 2, 'x');
    co_return RoutedResponse{std::move(response), 0};
  }
  void stop() override {}
};

// A client that waits for the server a minute at most.
class Client {
 public:
  Client(boost::asio::io_context& context, const boost::asio::ip::tcp::endpoint& server)
      : socket_(context) {
    socket_.open(server.protocol());
    int little = 64 * 1024;  // so that an answer waits in the server, and not here
    setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    timeval minute{.tv_sec = 60, .tv_usec = 0};
    setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute);
    socket_.connect(server);
  }

  // False: the connection has ended.
  bool send(std::string_view bytes) {
    auto sent = ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return sent == static_cast<ssize_t>(bytes.size());
  }
  // Reads so many bytes, or to the end of the connection.
  void receive(std::size_t bytes = SIZE_MAX) {
    char room[1 << 16];
    for (ssize_t size = 1; size > 0 && bytes > 0; bytes -= static_cast<std::size_t>(size)) {
      size = ::recv(socket_.native_handle(), room, std::min(bytes, sizeof room), 0);
      if (size <= 0) break;
      received.append(room, static_cast<std::size_t>(size));
    }
  }
  // Whether the server ends the connection. Keeps what it sends before.
  bool ended() {
    receive();
    char byte;
    return ::recv(socket_.native_handle(), &byte, 1, MSG_DONTWAIT) == 0 || errno == ECONNRESET;
  }

  std::string received;

 private:
  boost::asio::ip::tcp::socket socket_;
};

class DeadlinesTest : public testing::Test {
 protected:
  void start(Timeouts timeouts) {
    ServerOptions options;
    options.listen = {boost::asio::ip::make_address("127.0.0.1"), 0};
    options.threads = 1;
    options.timeouts = timeouts;
    server_.emplace(handler_, metrics_, std::move(options));
    thread_ = std::thread([this] { server_->run(); });
  }
  void TearDown() override {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }

  Client client() { return {context_, server_->endpoint()}; }
  double unsent() const { return metrics_.unsent_bytes->Value(); }
  template <class Condition>
  static bool comes(Condition condition) {
    for (auto end = Clock::now() + 60s; !condition() && Clock::now() < end;)
      std::this_thread::sleep_for(10ms);
    return condition();
  }

  boost::asio::io_context context_;  // of the clients, which do not run it
  Handler handler_;
  Metrics metrics_{{"/"}};
  std::optional<Server> server_;
  std::thread thread_;
};

TEST_F(DeadlinesTest, AreThoseOfTheDocumentation) {  // docs/serving.md
  Timeouts timeouts;
  EXPECT_EQ(timeouts.request, 10s);
  EXPECT_EQ(timeouts.idle, 60s);
  EXPECT_EQ(timeouts.piece, 20s);
}

TEST_F(DeadlinesTest, ARequestThatIsNotWholeInTimeEndsItsConnection) {
  constexpr auto deadline = 600ms;
  start({.request = deadline});
  const std::string post = "POST / HTTP/1.1\r\nHost: a\r\n";
  std::vector<Client> slow;
  auto begun = Clock::now();
  for (const auto& begin : {std::string("G"), head, post + "Content-Length: 200\r\n\r\n{\"rating\"",
                            post + "Transfer-Encoding: chunked\r\n\r\nff\r\n{"})
    ASSERT_TRUE(slow.emplace_back(client()).send(begin));
  auto steady = client();  // sends a byte now and then
  ASSERT_TRUE(steady.send(head + "X: "));
  auto other = client();
  ASSERT_TRUE(other.send(head + "Connection: close\r\n\r\n"));
  EXPECT_TRUE(other.ended());
  EXPECT_TRUE(other.received.starts_with("HTTP/1.1 200 ")) << "others are served meanwhile";
  EXPECT_TRUE(comes([&] { return !steady.send("x"); })) << "bytes do not move the deadline";
  EXPECT_GE(Clock::now() - begun, deadline);
  for (auto& each : slow) {
    EXPECT_TRUE(each.ended());
    EXPECT_EQ(each.received, "");
  }
  EXPECT_EQ(metrics_.timed_out->Value(), 5);
}

TEST_F(DeadlinesTest, AnIdleConnectionEnds) {
  constexpr auto deadline = 600ms;
  start({.idle = deadline});
  auto silent = client(), answered = client();
  auto begun = Clock::now();
  ASSERT_TRUE(answered.send(head + "\r\n"));
  EXPECT_TRUE(answered.ended());
  EXPECT_GE(Clock::now() - begun, deadline);
  EXPECT_TRUE(answered.received.starts_with("HTTP/1.1 200 "));
  EXPECT_TRUE(silent.ended());
  EXPECT_EQ(metrics_.timed_out->Value(), 2);
}

TEST_F(DeadlinesTest, AReaderThatDoesNotKeepPaceIsCutOff) {
  constexpr auto deadline = 600ms;
  start({.piece = deadline});
  auto deaf = client();
  auto begun = Clock::now();
  ASSERT_TRUE(deaf.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n"));
  EXPECT_TRUE(comes([&] { return metrics_.slow_readers->Value() == 1; }));
  EXPECT_GE(Clock::now() - begun, deadline);
  EXPECT_TRUE(comes([&] { return unsent() == 0; }));
  EXPECT_TRUE(deaf.ended());
  EXPECT_LT(deaf.received.size(), large);
}

TEST_F(DeadlinesTest, ASlowButSteadyReaderGetsItsWholeAnswer) {
  constexpr auto deadline = 2s;
  start({.piece = deadline});
  auto slow = client();
  ASSERT_TRUE(slow.send("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
  for (auto begun = Clock::now(); Clock::now() < begun + deadline + 600ms;) {
    slow.receive(256 * 1024);
    std::this_thread::sleep_for(100ms);
  }
  EXPECT_GT(unsent(), 0) << "the answer takes longer than a piece may take";
  EXPECT_TRUE(slow.ended());
  EXPECT_GT(slow.received.size(), large);
  EXPECT_EQ(metrics_.slow_readers->Value(), 0);
}

}  // namespace
}  // namespace quire::http
