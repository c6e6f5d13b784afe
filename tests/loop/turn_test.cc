// Long work gives others their turn, and its time is measured.
#include "loop/awaitable.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <thread>

namespace quire {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

// Holds the thread.
void hold(milliseconds time) {
  std::this_thread::sleep_for(time);
}

TEST(Turn, IsNotOverOutsideOfALoop) {
  hold(milliseconds(3));
  EXPECT_FALSE(turn_is_over());
}

TEST(Turn, IsOverAfterTwoMillisecondsAndThenOthersRun) {
  asio::io_context context(1);
  std::string order;
  auto work = [&](char name) -> Awaitable<void> {
    for (int part = 0; part < 3; ++part) {
      order += name;
      EXPECT_FALSE(turn_is_over() && order.size() == 1);
      hold(milliseconds(3));
      EXPECT_TRUE(turn_is_over());
      co_await next_turn();
    }
  };
  asio::co_spawn(context, work('a'), asio::detached);
  asio::co_spawn(context, work('b'), asio::detached);
  context.run();
  EXPECT_EQ(order, "ababab");
}

TEST(HandlerTimes, KnowTheLongestHandlerAndCountLongOnes) {
  HandlerTimes times;
  asio::io_context context(1);
  asio::post(context, [] {});
  asio::post(context, [] { hold(HandlerTimes::long_hold + milliseconds(1)); });
  asio::post(context, [] {});
  handler_times = &times;
  context.run();
  handler_times = nullptr;
  EXPECT_GT(times.longest.load(), HandlerTimes::long_hold);
  EXPECT_GE(times.long_holds.load(), 1u);
  auto known = times.longest.load();
  context.restart();
  asio::post(context, [] { hold(2 * HandlerTimes::long_hold); });
  context.run();
  EXPECT_EQ(times.longest.load(), known) << "a thread without a collector adds nothing";
}

}  // namespace
}  // namespace quire
