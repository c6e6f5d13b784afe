// The works of a loop take turns by client, and a work stays its client's wherever it waits. Works
// here say that they have used their turn up; so nothing depends on the clock.
#include "loop/turns.h"

#include <gtest/gtest.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <map>
#include <string>

#include "loop/gate.h"
#include "loop/loop.h"
#include "loop/one_answer.h"

namespace quire {
namespace {

namespace asio = boost::asio;

constexpr std::uint64_t dear = 1, other = 2, nobody = 0;

// As if the current handler had begun two turns ago.
void use_up_turn() {
  handler_begun -= 2 * turn;
}

class ClientTurns : public testing::Test {
 protected:
  // Requests of a client, one after another, each of so many turns.
  Awaitable<void> ask(std::uint64_t client, int requests, int of_turns) {
    for (int i = 0; i < requests; ++i) {
      co_await asio::post(context_, asio::use_awaitable);  // a request comes
      if (!turns_.begin(client)) co_await turns_.wait();
      for (int part = 0; part < of_turns; ++part) {
        EXPECT_EQ(work_of, client);
        taken_.push_back(client);
        use_up_turn();
        if (part + 1 < of_turns && turn_is_over()) co_await next_turn();
      }
    }
    ended_.push_back(client);
  }
  void spawn(Awaitable<void> work) { asio::co_spawn(context_, std::move(work), asio::detached); }

  asio::io_context context_{1};
  Turns turns_{context_};
  Turns::Here here_{turns_};
  std::vector<std::uint64_t> taken_;  // turns, in order, by client
  std::vector<std::uint64_t> ended_;
};

TEST_F(ClientTurns, OfTwoClientsAlternateHoweverManyRequestsOneHas) {
  for (int i = 0; i < 100; ++i) spawn(ask(dear, 1, 10));
  spawn(ask(other, 1, 10));
  context_.run();
  EXPECT_EQ(taken_.size(), 1010u);
  EXPECT_EQ(ended_.size(), 101u);
  auto last = std::find(taken_.rbegin(), taken_.rend(), other);
  EXPECT_LE(taken_.rend() - last, 25) << "ten turns of one client, and about as many of the other";
}

// Each step of another client waits for the loop to look for events.
TEST_F(ClientTurns, DelayAnEventByAFewTurnsAndNotByAll) {
  asio::local::stream_protocol::socket one(context_), two(context_);
  asio::local::connect_pair(one, two);
  std::vector<std::size_t> between;
  auto small = [&]() -> Awaitable<void> {
    std::array<char, 1> byte{};
    for (int step = 0; step < 20; ++step) {
      auto before = taken_.size();
      co_await one.async_send(asio::buffer(byte), await);
      co_await two.async_receive(asio::buffer(byte), await);
      EXPECT_TRUE(turns_.begin(other)) << "this client has not had its turn";
      between.push_back(taken_.size() - before);
    }
  };
  for (int i = 0; i < 100; ++i) spawn(ask(dear, 3, 4));  // connections that ask again and again
  spawn(small());
  context_.run();
  EXPECT_EQ(taken_.size(), 1200u);
  ASSERT_EQ(between.size(), 20u);
  for (auto turns : between) EXPECT_LE(turns, 6u);
}

TEST_F(ClientTurns, NeedNobodyWhoWaits) {
  spawn(ask(dear, 5, 1));
  spawn(ask(nobody, 5, 1));
  context_.run();
  EXPECT_EQ(ended_.size(), 2u);
  EXPECT_EQ(taken_.size(), 10u);
}

TEST_F(ClientTurns, AreOfTheLoopAlone) {
  bool ran = false;
  auto nested = [&]() -> Awaitable<void> {
    co_await next_turn();  // would wait forever in the turns of the loop that is blocked
    ran = true;
  };
  asio::post(context_, [&] { wait(nested()); });
  context_.run();
  EXPECT_TRUE(ran);
}

TEST_F(ClientTurns, KnowTheClientOfAWorkAfterEachWait) {
  LoopThread thread;
  Gate gate(thread.context(), 1, 8);
  std::map<std::string, std::uint64_t> seen;
  auto note = [&](std::string where) -> Awaitable<int> {
    seen[where] = work_of;
    co_await pause(Milliseconds(0));
    seen[where + ", later"] = work_of;
    co_return 0;
  };
  auto there = [&]() -> Awaitable<int> {
    auto pass = co_await gate.enter(Deadline::max());
    co_return co_await note("thread");
  };
  OneAnswer<int> one;
  auto work = [&](std::uint64_t client) -> Awaitable<void> {
    EXPECT_TRUE(turns_.begin(client));
    co_await next_turn();
    seen["turn"] = work_of;
    std::vector<Awaitable<int>> both;
    both.push_back(thread.run(there()));
    both.push_back(thread.run(there()));
    co_await all(std::move(both));
    seen["all"] = work_of;
    co_await one.get([&] { return note("shared"); });
    seen["answer"] = work_of;
  };
  spawn(work(other));
  context_.run();
  EXPECT_EQ(seen.size(), 7u);
  for (const auto& [where, client] : seen) EXPECT_EQ(client, other) << where;
  asio::post(context_, [] { EXPECT_EQ(work_of, nobody) << "a handler begins as nobody's"; });
  context_.restart();
  context_.run();
}

}  // namespace
}  // namespace quire
