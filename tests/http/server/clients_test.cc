// The limits of a client: its connections and its unsent bytes.
#include "http/server/clients.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace quire::http {
namespace {

auto address(const char* text) {
  return boost::asio::ip::make_address(text);
}

TEST(Clients, HaveALimitOfConnectionsEach) {
  Clients clients(2, 100, {});
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
  Clients clients(1, 100, {});
  auto first = clients.enter(address("192.0.2.1"));
  clients.set(3, 50);
  EXPECT_FALSE(first->unsent()->has_room(51));
  auto second = clients.enter(address("192.0.2.1"));
  auto third = clients.enter(address("192.0.2.1"));
  EXPECT_TRUE(second && third);
  clients.set(1, 50);
  EXPECT_FALSE(clients.enter(address("192.0.2.1"))) << "but those that are there stay";
}

TEST(Clients, OfIPv6AreNetworksOf64Bits) {
  Clients clients(1, 100, {});
  auto seat = clients.enter(address("2001:db8:0:1::1"));
  EXPECT_FALSE(clients.enter(address("2001:db8:0:1:ffff::2")));
  EXPECT_TRUE(clients.enter(address("2001:db8:0:2::1")));
}

TEST(Clients, OfIPv4AreTheSameThroughAnIPv6Socket) {
  Clients clients(1, 100, {});
  auto seat = clients.enter(address("::ffff:192.0.2.1"));
  EXPECT_EQ(seat->peer, address("192.0.2.1"));
  EXPECT_FALSE(clients.enter(address("192.0.2.1")));
  EXPECT_TRUE(clients.enter(address("::ffff:192.0.2.2")));
}

TEST(Clients, ThatAreTrustedProxiesHaveNoLimit) {
  Clients clients(1, 100, {Network::parse("10.0.0.0/8").value()});
  auto first = clients.enter(address("10.0.0.1"));
  auto second = clients.enter(address("10.0.0.1"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->unsent(), nullptr);
}

TEST(Clients, HaveOneBudgetForAllTheirConnections) {
  Clients clients(3, 100, {});
  auto first = clients.enter(address("192.0.2.1")), second = clients.enter(address("192.0.2.1"));
  {
    Budget::Hold hold(*first->unsent(), 60);
    EXPECT_TRUE(second->unsent()->has_room(40));
    EXPECT_FALSE(second->unsent()->has_room(41));
    EXPECT_TRUE(clients.enter(address("192.0.2.2"))->unsent()->has_room(100));
  }
  EXPECT_TRUE(second->unsent()->has_room(100));
}

TEST(Clients, ComeAndGoOnManyThreads) {
  Clients clients(1000, 100, {});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) {
        auto seat = clients.enter(address("192.0.2.1"));
        Budget::Hold hold(*seat->unsent(), 1);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::vector<std::optional<Clients::Seat>> seats;
  for (int n = 0; n < 1000; ++n) seats.push_back(clients.enter(address("192.0.2.1")));
  EXPECT_TRUE(seats.back()) << "all have left";
}

TEST(Budget, IsGivenBackOnceHoweverOftenAHoldIsMoved) {
  prometheus::Gauge shown;
  Budget budget(100, &shown);
  {
    Budget::Hold hold(budget, 70), other;
    EXPECT_EQ(budget.taken(), 70u);
    EXPECT_EQ(shown.Value(), 70);
    other = std::move(hold);
    Budget::Hold last(std::move(other));
    EXPECT_EQ(budget.taken(), 70u);
  }
  EXPECT_EQ(budget.taken(), 0u);
  EXPECT_EQ(shown.Value(), 0);
}

}  // namespace
}  // namespace quire::http
