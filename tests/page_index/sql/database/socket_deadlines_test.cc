#include "page_index/sql/database/socket_deadlines.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace quire::sql {
namespace {

std::array<int, 2> connected_sockets() {
  std::array<int, 2> sockets{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0);
  return sockets;
}

TEST(SocketDeadlines, ALateWaitIsEndedAndNoOther) {
  SocketDeadlines deadlines(std::chrono::seconds(1));
  auto [late, its_peer] = connected_sockets();
  auto [quick, other_peer] = connected_sockets();
  char byte = 'x';
  {
    SocketDeadlines::Socket watched(deadlines, quick), silent(deadlines, late);
    { SocketDeadlines::Wait in_time(watched); }
    SocketDeadlines::Wait wait(silent);
    EXPECT_EQ(::read(late, &byte, 1), 0);
    EXPECT_EQ(::read(its_peer, &byte, 1), 0);
  }
  EXPECT_EQ(::write(other_peer, &byte, 1), 1);
  EXPECT_EQ(::read(quick, &byte, 1), 1);
  for (int socket : {late, its_peer, quick, other_peer}) ::close(socket);
}

// As when a client's library closes its descriptor, and another thread gets the number.
TEST(SocketDeadlines, AWaitEndsItsOwnSocketAlone) {
  SocketDeadlines deadlines(std::chrono::seconds(1));
  auto [late, its_peer] = connected_sockets();
  SocketDeadlines::Socket silent(deadlines, late);
  SocketDeadlines::Wait wait(silent);
  ::close(late);
  auto [next, next_peer] = connected_sockets();
  EXPECT_EQ(next, late) << "the number was given anew";
  char byte = 'x';
  EXPECT_EQ(::read(its_peer, &byte, 1), 0);
  EXPECT_EQ(::write(next_peer, &byte, 1), 1);
  EXPECT_EQ(::read(next, &byte, 1), 1);
  for (int socket : {its_peer, next, next_peer}) ::close(socket);
}

}  // namespace
}  // namespace quire::sql
