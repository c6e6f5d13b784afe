// A request of a client that has had its turn waits, and requests of others do not. The handler
// here says that it has used its turn up; so nothing depends on the clock.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <string>
#include <vector>

#include "http/server/connection.h"

namespace quire::http {
namespace {

// Notes the clients in the order in which they are answered; stops the loop after the last.
class DearAnswers : public RequestHandler {
 public:
  DearAnswers(EventLoop*& loop, std::size_t expected) : loop_(loop), expected_(expected) {}

  Awaitable<RoutedResponse> answer(Request& request) override {
    EXPECT_NE(work_of, 0u);
    order += request.client.to_string().back();
    handler_begun -= 2 * turn;
    if (order.size() == expected_) loop_->stop();
    co_return RoutedResponse{{.body = "x"}, 0};
  }
  void stop() override {}

  std::string order;

 private:
  EventLoop*& loop_;
  std::size_t expected_;
};

// The order in which requests are answered that have all come. `lines`: further lines of a request.
std::string order_of(const std::vector<std::string>& peers, const std::vector<std::string>& lines,
                     std::vector<Network> trusted = {}) {
  EventLoop* running = nullptr;
  DearAnswers handler(running, peers.size());
  Metrics metrics({"dear"});
  Clients clients(100, trusted);
  Shared shared{handler, metrics, trusted, {}, Budget(1 << 20), Budget(1 << 20)};
  EventLoop loop(metrics, nullptr);
  running = &loop;
  Turns::Here here(loop.turns);
  loop.tick();
  std::vector<int> ends;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    std::array<int, 2> pair{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
    ends.push_back(pair[0]);
    auto request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + lines[i] + "\r\n";
    EXPECT_EQ(write(pair[0], request.data(), request.size()), static_cast<ssize_t>(request.size()));
    shutdown(pair[0], SHUT_WR);
    Connection::Socket socket(loop.context, boost::asio::ip::tcp::v4(), pair[1]);
    auto seat = clients.enter(boost::asio::ip::make_address(peers[i]));
    auto connection =
        std::make_unique<Connection>(std::move(socket), std::move(*seat), loop, shared);
    boost::asio::co_spawn(loop.context, Connection::serve(std::move(connection)),
                          boost::asio::detached);
  }
  loop.context.run();
  for (int each : ends) close(each);
  return handler.order;
}

TEST(TurnsOfConnections, OneClientsRequestsDelayThoseOfOthersByATurn) {
  std::vector<std::string> peers(30, "192.0.2.1");
  for (const char* other : {"192.0.2.2", "192.0.2.3"}) peers.emplace_back(other);
  auto order = order_of(peers, std::vector<std::string>(peers.size()));
  EXPECT_EQ(order, "123" + std::string(29, '1'));
}

TEST(TurnsOfConnections, AreOfTheClientThatAProxyNames) {
  std::vector<std::string> peers(20, "10.0.0.9"), lines;
  for (int i = 0; i < 19; ++i) lines.emplace_back("X-Forwarded-For: 192.0.2.1\r\n");
  lines.emplace_back("X-Forwarded-For: 192.0.2.2\r\n");
  auto order = order_of(peers, lines, {Network::parse("10.0.0.9").value()});
  EXPECT_EQ(order, "12" + std::string(18, '1'));
}

// Else a header that the proxy passes on would free its writer of all that a client may not take.
TEST(TurnsOfConnections, OfRequestsWhoseHeadersContradictEachOtherAreOfOneClient) {
  for (std::string odd : {"unknown", "192.0.2.7"}) {
    std::vector<std::string> peers(20, "10.0.0.9"), lines;
    for (int i = 0; i < 19; ++i)
      lines.emplace_back("Forwarded: for=" + odd + "\r\nX-Forwarded-For: 192.0.2.1\r\n");
    lines.emplace_back("X-Forwarded-For: 192.0.2.2\r\n");
    auto order = order_of(peers, lines, {Network::parse("10.0.0.9").value()});
    EXPECT_EQ(order, "92" + std::string(18, '9')) << odd;
  }
}

}  // namespace
}  // namespace quire::http
