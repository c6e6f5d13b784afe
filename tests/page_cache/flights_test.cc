#include "page_cache/cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <thread>
#include <vector>

#include "loop/loop.h"
#include "quire/result.h"

namespace quire::page_cache {
namespace {

using namespace std::chrono_literals;

Kept number(int value) {
  return std::make_shared<const int>(value);
}
int number(const Kept& kept) {
  return kept ? *std::static_pointer_cast<const int>(kept) : 0;
}

auto soon() {
  return std::chrono::steady_clock::now() + 10s;
}

TEST(Flights, OneMakesAndTheOthersWait) {
  Flights flights;
  auto maker = flights.enter("a");
  EXPECT_FALSE(maker.waits());
  EXPECT_FALSE(maker.awaited());
  auto other = flights.enter("a");
  EXPECT_TRUE(other.waits());
  EXPECT_FALSE(flights.enter("b").waits()) << "another key";
  maker.land(number(7));
  EXPECT_EQ(number(wait(other.wait(soon()))), 7);
  EXPECT_FALSE(flights.enter("a").waits()) << "the flight is over";
}

TEST(Flights, AMakerWithoutAValueLeavesItToTheOthers) {
  Flights flights;
  auto wait_for = [&](auto end) {
    std::optional<Flights::Seat> maker(flights.enter("a"));
    auto other = flights.enter("a");
    boost::asio::io_context context;
    Kept found = number(1);
    auto waiting = [&]() -> Awaitable<void> { found = co_await other.wait(soon()); };
    boost::asio::co_spawn(context, waiting, boost::asio::detached);
    context.poll();
    EXPECT_TRUE(maker->awaited());
    end(maker);
    context.run();
    return found;
  };
  EXPECT_EQ(wait_for([](auto& maker) { maker->land({}); }), nullptr) << "it failed";
  EXPECT_EQ(wait_for([](auto& maker) { maker.reset(); }), nullptr) << "it was cancelled";
  EXPECT_EQ(number(wait_for([](auto& maker) { maker->land(number(7)); })), 7);
}

TEST(Flights, AWaitEndsAtItsDeadline) {
  Flights flights;
  auto maker = flights.enter("a");
  auto other = flights.enter("a");
  EXPECT_EQ(wait(other.wait(std::chrono::steady_clock::now())), nullptr);
  EXPECT_FALSE(maker.awaited());
}

TEST(Flights, AWaitThatIsAbandonedLeavesTheFlight) {
  Flights flights;
  auto maker = flights.enter("a");
  auto other = flights.enter("a");
  {
    boost::asio::io_context context;
    auto waiting = [&]() -> Awaitable<void> { co_await other.wait(soon()); };
    boost::asio::co_spawn(context, waiting, boost::asio::detached);
    context.poll();
    EXPECT_TRUE(maker.awaited());
  }
  EXPECT_FALSE(maker.awaited());
  maker.land(number(7));
}

// Four loops ask for the same values; each is made once at a time, and all get it.
TEST(Flights, ManyLoopsMayWaitForOne) {
  constexpr int rounds = 200;
  Flights flights;
  std::atomic<int> makers[rounds] = {};
  auto ask = [&]() -> Awaitable<Done> {
    for (int round = 0; round < rounds; ++round) {
      auto seat = flights.enter(std::to_string(round));
      if (seat.waits()) {
        auto value = co_await seat.wait(soon());
        EXPECT_EQ(number(value), round + 1);
        continue;
      }
      EXPECT_EQ(++makers[round], 1);
      co_await pause(Milliseconds(round % 10 == 0));
      --makers[round];
      seat.land(number(round + 1));
    }
    co_return Done{};
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { wait(ask()); });
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace quire::page_cache
