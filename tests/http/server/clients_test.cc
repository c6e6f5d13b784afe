// The limits of a client: its connections, and its shares of budgets.
#include "http/server/clients.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace quire::http {
namespace {

auto address(const char* text) {
  return boost::asio::ip::make_address(text);
}

TEST(Clients, HaveALimitOfConnectionsEach) {
  Clients clients(2, {});
  auto first = clients.enter(address("192.0.2.1"));
  {
    auto second = clients.enter(address("192.0.2.1"));
    EXPECT_TRUE(first && second);
    EXPECT_FALSE(clients.enter(address("192.0.2.1")));
    EXPECT_TRUE(clients.enter(address("192.0.2.2"))) << "another client";
  }
  EXPECT_TRUE(clients.enter(address("192.0.2.1"))) << "a place that came free";
}

TEST(Clients, TakeNewLimitsAlsoIfTheyAreThere) {
  Clients clients(1, {});
  auto first = clients.enter(address("192.0.2.1"));
  clients.set_max(3);
  auto second = clients.enter(address("192.0.2.1"));
  auto third = clients.enter(address("192.0.2.1"));
  EXPECT_TRUE(second && third);
  clients.set_max(1);
  EXPECT_FALSE(clients.enter(address("192.0.2.1"))) << "but those that are there stay";
}

TEST(Clients, OfIPv6AreNetworksOf64Bits) {
  Clients clients(1, {});
  auto seat = clients.enter(address("2001:db8:0:1::1"));
  EXPECT_FALSE(clients.enter(address("2001:db8:0:1:ffff::2")));
  EXPECT_TRUE(clients.enter(address("2001:db8:0:2::1")));
}

TEST(Clients, OfIPv4AreTheSameThroughAnIPv6Socket) {
  Clients clients(1, {});
  auto seat = clients.enter(address("::ffff:192.0.2.1"));
  EXPECT_EQ(seat->peer, address("192.0.2.1"));
  EXPECT_FALSE(clients.enter(address("192.0.2.1")));
  EXPECT_TRUE(clients.enter(address("::ffff:192.0.2.2")));
}

TEST(Clients, ThatAreTrustedProxiesHaveNoLimit) {
  Clients clients(1, {Network::parse("10.0.0.0/8").value()});
  auto first = clients.enter(address("10.0.0.1"));
  auto second = clients.enter(address("10.0.0.1"));
  EXPECT_TRUE(first && second);
}

TEST(Clients, ComeAndGoOnManyThreads) {
  Clients clients(1000, {});
  Budget budget(1000);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) {
        auto seat = clients.enter(address("192.0.2.1"));
        Budget::Hold hold(budget, client_name(seat->peer), 1);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::vector<std::optional<Clients::Seat>> seats;
  for (int n = 0; n < 1000; ++n) seats.push_back(clients.enter(address("192.0.2.1")));
  EXPECT_TRUE(seats.back()) << "all have left";
  EXPECT_EQ(budget.taken(), 0u);
}

TEST(ClientNumber, IsOneForEachClientAndNoneForAProxy) {
  std::set<std::uint64_t> numbers;
  for (const char* address : {"0.0.0.0", "127.0.0.1", "192.0.2.1", "192.0.2.2", "2001:db8::1",
                              "2001:db8:0:1::1", "2001:db9::1"})
    numbers.insert(client_number(client_name(boost::asio::ip::make_address(address))));
  EXPECT_EQ(numbers.size(), 7u);
  EXPECT_FALSE(numbers.contains(0));
  auto loopback = client_number(client_name(boost::asio::ip::make_address("::1")));
  EXPECT_NE(loopback, 0u);
  EXPECT_EQ(client_number(""), 0u);
}

TEST(Budget, HasAnEighthForEachClient) {
  Budget budget(800);
  {
    Budget::Hold first(budget, "a", 60), second(budget, "a", 0);
    EXPECT_TRUE(second.grow(40));
    EXPECT_TRUE(second.grow(30)) << "it holds more already";
    EXPECT_FALSE(second.grow(41));
    EXPECT_EQ(budget.taken_by("a"), 100u);
    EXPECT_FALSE(budget.has_room("a", 1));
    EXPECT_TRUE(budget.has_room("b", 100));
    EXPECT_FALSE(budget.has_room("b", 101));
    EXPECT_TRUE(budget.has_room("", 700)) << "a trusted proxy has no share, and the bound of all";
    EXPECT_FALSE(budget.has_room("", 701));
    budget.set_max(1600);
    EXPECT_TRUE(second.grow(140));
  }
  EXPECT_TRUE(budget.has_room("a", 200));
}

TEST(Budget, OfAllEndsTheShares) {
  Budget budget(800);
  std::vector<Budget::Hold> holds;
  for (auto client : {"a", "b", "c", "d", "e", "f", "g", "h"})
    EXPECT_TRUE(holds.emplace_back(budget, client).grow(100));
  EXPECT_FALSE(budget.has_room("i", 1));
  holds.pop_back();
  EXPECT_TRUE(budget.has_room("i", 100));
}

TEST(Budget, IsGivenBackOnceHoweverOftenAHoldIsMoved) {
  prometheus::Gauge shown;
  Budget budget(1000, &shown);
  {
    Budget::Hold hold(budget, "a", 70), other;
    EXPECT_EQ(budget.taken(), 70u);
    EXPECT_EQ(shown.Value(), 70);
    other = std::move(hold);
    Budget::Hold last(std::move(other));
    EXPECT_EQ(budget.taken(), 70u);
    last = Budget::Hold(budget, "b", 30);
    EXPECT_EQ(budget.taken_by("a"), 0u);
    EXPECT_EQ(budget.taken(), 30u);
  }
  EXPECT_EQ(budget.taken(), 0u);
  EXPECT_EQ(shown.Value(), 0);
}

}  // namespace
}  // namespace quire::http
