// A client that takes its answer too slowly is cut off, however steadily it reads.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <thread>

#include "http/server/connection.h"

namespace quire::http {
namespace {

constexpr std::size_t size = 512 * 1024;

class LargeAnswers : public RequestHandler {
 public:
  Awaitable<RoutedResponse> answer(Request&) override {
    co_return RoutedResponse{{.body = std::string(size, 'x')}, 0};
  }
  void stop() override {}
};

// How much a client receives that takes 8 KiB, and then rests, until the connection ends.
std::size_t received_with_rests(int socket, std::chrono::milliseconds rest) {
  std::array<char, 8 * 1024> room;
  std::size_t received = 0;
  for (;;) {
    auto got = read(socket, room.data(), room.size());
    if (got <= 0) return received;
    received += static_cast<std::size_t>(got);
    if (received > size) return received;
    std::this_thread::sleep_for(rest);
  }
}

TEST(SlowReader, IsCutOffWhereAPieceTakesTooLong) {
  std::array<int, 2> ends;
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const int few = 8 * 1024;
  setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &few, sizeof few);
  LargeAnswers handler;
  Metrics metrics({"large"});
  Clients clients(1, {});
  Shared shared{handler, metrics, {}, {.piece = Milliseconds(200)}, Budget(8 * size), Budget(size)};
  EventLoop loop(metrics, nullptr);
  loop.tick();
  Connection::Socket socket(loop.context, boost::asio::ip::tcp::v4(), ends[1]);
  auto seat = clients.enter(boost::asio::ip::make_address("192.0.2.7"));
  auto connection = std::make_unique<Connection>(std::move(socket), std::move(*seat), loop, shared);
  boost::asio::co_spawn(loop.context, Connection::serve(std::move(connection)),
                        boost::asio::detached);
  std::jthread server([&] { loop.context.run(); });
  constexpr std::string_view request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  EXPECT_EQ(write(ends[0], request.data(), request.size()), static_cast<ssize_t>(request.size()));
  EXPECT_LT(received_with_rests(ends[0], Milliseconds(50)), size);
  close(ends[0]);
  boost::asio::post(loop.context, [&] { loop.stop(); });
}

}  // namespace
}  // namespace quire::http
