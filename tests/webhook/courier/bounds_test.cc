// What the courier sends and owes at most, and that it rests.
#include <gtest/gtest.h>

#include "courier_on_sockets.h"

namespace quire::webhook {
namespace {

TEST_F(CourierTest, SendsAFewAtATime) {
  start();
  server_.hold(Courier::max_in_flight);
  for (int i = 0; i < 30; ++i) events_.add("comment.changed");
  answer("200", 30);
  ASSERT_TRUE(soon(delivered(30)));
  EXPECT_EQ(server_.accepted(), Courier::max_in_flight) << "connections, which are kept";
}

TEST_F(CourierTest, ReadsLittleFurtherThanItSends) {
  start();
  for (std::size_t i = 0; i < 3 * Courier::max_due; ++i) events_.add("comment.changed");
  ASSERT_TRUE(soon([this] { return account().owed.size() >= Courier::max_due; }));
  // One batch more than it waits with, and those that are under way.
  EXPECT_LE(account().owed.size(), 2 * Courier::max_due + Courier::max_in_flight);
}

TEST_F(CourierTest, OwesABoundedNumberOfEvents) {
  auto owed = webhook();
  Account full{.url = url_print(owed.url)};
  for (std::size_t i = 0; i < Courier::max_owed; ++i) {
    auto event = events_.add("comment.changed");
    full.mark = event.mark;
    full.owed.emplace(event.mark, Owed{event, 1, begin_ms, begin_ms + 60'000});
  }
  ASSERT_TRUE(write_ledger(ledger_, {{"copy", full}}));
  auto next = events_.add("comment.changed");
  start();
  for (int i = 0; i < 2; ++i) {  // between them it has looked into the log
    ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::skip, "copy", message_id(next)}));
    ASSERT_TRUE(soon([this] { return !LeftAsks::open(asks_).has_value(); }));
  }
  EXPECT_EQ(account().mark, full.mark);
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::skip, "copy", "evt_1"}));
  ASSERT_TRUE(soon([&] { return account().mark == next.mark; })) << "there is room";
}

TEST_F(CourierTest, SendsABoundedNumberInARound) {
  constexpr unsigned rounds = 3;
  std::atomic<unsigned> looks = 0;
  start([&looks] { ++looks; });
  for (unsigned i = 0; i < rounds * Courier::max_of_a_round; ++i) events_.add("comment.changed");
  auto before = looks.load();
  answer("200", rounds * Courier::max_of_a_round);
  ASSERT_TRUE(soon(delivered(rounds * Courier::max_of_a_round)));
  EXPECT_GE(looks - before, rounds - 1);
}

TEST_F(CourierTest, RestsWhereThereIsNoWebhook) {
  webhooks({});
  std::atomic<unsigned> looks = 0;
  start([&] { looks += shop_->webhooks.empty(); });
  for (int i = 0; i < 20; ++i) {
    events_.add("comment.published");
    loop_.context().restart();
    loop_.context().run_for(std::chrono::milliseconds(20));
  }
  webhooks({webhook()});
  auto has_begun = [this] {
    auto ledger = read_ledger(ledger_);
    return ledger && ledger->contains("copy");
  };
  ASSERT_TRUE(soon(has_begun));
  EXPECT_LE(looks.load(), 2u) << "when it began, and once more";
  events_.add("comment.published");
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids(), std::vector<std::string>{"evt_21"});
}

TEST_F(CourierTest, PassesOverWhatItIsNotAskedForWithoutSending) {
  auto chat = webhook();
  chat.max_rating = 2;
  webhooks({chat});
  start();
  for (int i = 0; i < 1'200; ++i) events_.add("comment.published");
  auto bad = events_.add("comment.published", 1);
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids(), std::vector<std::string>{message_id(bad)});
  courier_.reset();
  EXPECT_EQ(account().mark, bad.mark);
  EXPECT_TRUE(account().owed.empty());
}

}  // namespace
}  // namespace quire::webhook
