#include "loop/gate.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <map>
#include <vector>

namespace quire {
namespace {

namespace asio = boost::asio;

using Names = std::vector<int>;

// Callers of a gate. Each stays inside until the test lets it go.
class Callers : public testing::Test {
 protected:
  explicit Callers(std::size_t max_inside = 2, std::size_t max_waiting = 3)
      : gate_(context_, max_inside, max_waiting) {}

  void comes(int name, Deadline deadline = Deadline::max()) {
    sets_out(name, deadline);
    run();
  }
  void comes_for(std::uint64_t client, int name) {
    client_ = client;
    comes(name);
    client_ = 0;
  }
  void sets_out(int name, Deadline deadline) {
    auto visit = [](Callers& all, int name, Deadline deadline) -> Awaitable<void> {
      auto pass = co_await all.gate_.enter(deadline);
      if (pass)
        all.inside_.emplace(name, std::move(pass));
      else
        all.refused_.push_back(name);
    };
    asio::co_spawn(context_, work_for(client_, visit(*this, name, deadline)), asio::detached);
  }
  void leaves(int name) {
    inside_.erase(name);
    run();
  }
  // Runs the loop until every caller waits.
  void run() {
    context_.restart();
    while (context_.poll() > 0) {
    }
  }
  Names inside() const {
    Names names;
    for (const auto& [name, pass] : inside_) names.push_back(name);
    return names;
  }

  asio::io_context context_{1};
  Gate gate_;
  std::map<int, Gate::Pass> inside_;
  Names refused_;
  std::uint64_t client_ = 0;
};

TEST_F(Callers, EnterUpToTheLimit) {
  EXPECT_TRUE(gate_.idle());
  for (int name : {1, 2, 3}) comes(name);
  EXPECT_EQ(inside(), (Names{1, 2}));
  EXPECT_EQ(refused_, Names{});
  EXPECT_EQ(gate_.inside(), 2u);
  EXPECT_FALSE(gate_.idle());
}

TEST_F(Callers, EnterInTheOrderOfTheirArrivalWhenOthersLeave) {
  for (int name : {1, 2, 5, 4, 3}) comes(name);
  leaves(2);
  EXPECT_EQ(inside(), (Names{1, 5}));
  leaves(1);
  EXPECT_EQ(inside(), (Names{4, 5}));
  leaves(4);
  leaves(5);
  EXPECT_EQ(inside(), Names{3});
  leaves(3);
  EXPECT_TRUE(gate_.idle());
  EXPECT_EQ(refused_, Names{});
}

TEST_F(Callers, DoNotOvertakeWaitingCallers) {
  for (int name : {1, 2, 3}) comes(name);
  inside_.erase(1);  // 3 holds the pass, and has not resumed yet
  comes(4);
  EXPECT_EQ(inside(), (Names{2, 3}));
  EXPECT_EQ(gate_.inside(), 2u);
}

TEST_F(Callers, AreRefusedWhenTheQueueIsFull) {
  for (int name : {1, 2, 3, 4, 5, 6}) comes(name);
  EXPECT_EQ(refused_, Names{6});
  leaves(1);
  comes(7);
  EXPECT_EQ(refused_, Names{6});
  for (int name : {2, 3, 4, 5}) leaves(name);
  EXPECT_EQ(inside(), Names{7});
}

class CallersOfClients : public Callers {
 protected:
  CallersOfClients() : Callers(1, 32) {}
};

TEST_F(CallersOfClients, TakeTurnsAndEachHasAnEighthOfTheQueue) {
  comes_for(1, 10);
  for (int name : {11, 12, 13, 14, 15}) comes_for(1, name);
  EXPECT_EQ(refused_, Names{15}) << "four of one client wait";
  comes_for(2, 20);
  comes_for(2, 21);
  comes(30);
  for (int name : {31, 32, 33, 34}) comes(name);
  EXPECT_EQ(refused_, Names{15}) << "callers for no client have no share";
  Names order;
  while (!inside_.empty()) {
    order.push_back(inside_.begin()->first);
    leaves(order.back());
  }
  EXPECT_EQ(order, (Names{10, 11, 20, 30, 12, 21, 31, 13, 32, 14, 33, 34}));
}

TEST_F(Callers, WhoseDeadlinePassesAreRefusedAndLeaveTheQueue) {
  auto past = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  comes(1, past);
  EXPECT_EQ(inside(), Names{1}) << "a free gate never refuses";
  comes(2);
  for (int name : {3, 4, 5}) comes(name, past);
  comes(6);
  EXPECT_EQ(refused_, (Names{3, 4, 5}));
  leaves(1);
  EXPECT_EQ(inside(), (Names{2, 6}));
}

TEST_F(Callers, WhoseTurnAndDeadlineComeTogetherEnter) {
  comes(1);
  comes(2);
  // Both timers expire in one run of the loop; the timer that lets 1 go runs first.
  auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
  asio::steady_timer before(context_, soon - std::chrono::milliseconds(1));
  before.async_wait([&](boost::system::error_code) { inside_.erase(1); });
  sets_out(3, soon);
  asio::post(context_, [&] {
    while (std::chrono::steady_clock::now() <= soon) {
    }
  });
  run();
  EXPECT_EQ(inside(), (Names{2, 3}));
  leaves(2);
  leaves(3);
  EXPECT_TRUE(gate_.idle());
}

TEST_F(Callers, MayMoveTheirPass) {
  comes(1);
  {
    Gate::Pass moved(std::move(inside_.at(1)));
    inside_.erase(1);
    EXPECT_TRUE(moved);
    EXPECT_EQ(gate_.inside(), 1u);
  }
  EXPECT_EQ(gate_.inside(), 0u);
}

}  // namespace
}  // namespace quire
