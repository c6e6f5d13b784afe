// A reset takes many scripts. Tests other calls meanwhile, and an interrupted reset.
#include <gtest/gtest.h>

#include <barrier>

#include "base/rounds.h"
#include "page_index/redis/raw_client.h"
#include "page_index/redis/state.h"

namespace quire::redis {
namespace {

using change::Change;
using change::Phase;
using change::State;

State state_named(const std::string& epoch) {
  return {Phase::building, epoch, "arn", {{"shard of " + epoch, {"1"}}}};
}

class RedisReset : public testing::Test {
 protected:
  // Adds one comment to each of `products` products.
  void fill(std::size_t products) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < products; ++i)
      changes.push_back({std::to_string(i), Ulid::make(i, {}), {}, cell("en", 5)});
    ASSERT_TRUE(wait(index_.put(std::move(changes))));
  }
  std::int64_t keys() { return ask_({"DBSIZE"})->number; }

  RedisServer server_;
  RedisIndex index_{address_of(server_), "t"};
  RawClient ask_{server_};
};

TEST_F(RedisReset, RemovesTheKeysOfItsIndexOnly) {
  ASSERT_TRUE(ask_({"SET", "quire", "mine"}));
  ASSERT_TRUE(ask_({"SET", "quire-pages:{t2}:state", "mine"}));
  fill(3000);
  EXPECT_EQ(keys(), 2 + 256 * 3 + 2 * 3000);
  ASSERT_TRUE(wait(index_.reset(state_named("a"))));
  EXPECT_EQ(keys(), 2 + 2 + 256);
  EXPECT_EQ(*wait(index_.state()), state_named("a"));
}

TEST_F(RedisReset, AnInterruptedResetLeavesTheIndexEmptyUntilTheNext) {
  ASSERT_TRUE(wait(index_.reset(state_named("a"))));
  fill(10);
  // The state that a process leaves that is killed after the first bucket.
  ASSERT_TRUE(ask_({"DEL", "quire-pages:{t}:state"}));
  ASSERT_TRUE(ask_({"HSET", "quire-pages:{t}:state", "resetting", "1", "number", "1"}));
  auto bucket = "quire-pages:{t/" + std::to_string(bucket_of("42")) + "}:state";
  ASSERT_TRUE(ask_({"HSET", bucket, "life", "1"}));
  EXPECT_EQ(*wait(index_.state()), State{});
  EXPECT_FALSE(*wait(index_.apply({"a", "shard of a", change::Mark{"1"}, {"2"}, {}})));
  EXPECT_FALSE(*wait(index_.apply({"", "s", {}, {"2"}, {}})));
  EXPECT_FALSE(*wait(index_.change_phase("a", Phase::building, Phase::following)));
  auto put = wait(index_.put({{"42", Ulid::make(1, {}), {}, cell("en", 5)}}));
  ASSERT_FALSE(put);
  EXPECT_EQ(
      put.error().message,
      "The page index is being rebuilt, or a rebuild was interrupted. Wait for quire backfill, "
      "or run it again.");
  ASSERT_TRUE(wait(index_.reset(state_named("b"))));
  EXPECT_EQ(*wait(index_.state()), state_named("b"));
  EXPECT_EQ(keys(), 2 + 256);
}

TEST_F(RedisReset, AnotherFormatIsRefusedUntilItIsReset) {
  ASSERT_TRUE(ask_({"HSET", "quire-pages:{t}:state", "format", "2", "epoch", "new", "phase",
                    "following", "stream", "arn"}));
  EXPECT_EQ(wait(index_.state()).error().message,
            "Another version of Quire wrote the page index in Redis. Use that version, or run "
            "quire backfill --again.");
  ASSERT_TRUE(wait(index_.reset(state_named("a"))));
  EXPECT_EQ(*wait(index_.state()), state_named("a"));
}

// The clock of the process that resets is behind: the number of the reset is larger all the same.
TEST_F(RedisReset, HasALargerNumberThanAllBefore) {
  constexpr auto future = "9000000000000";
  ASSERT_TRUE(ask_({"HSET", "quire-pages:{t}:state", "number", future}));
  ASSERT_TRUE(wait(index_.reset(state_named("a"))));
  EXPECT_EQ(ask_({"HGET", "quire-pages:{t}:state", "life"})->bytes, "9000000000001");
  fill(300);
  EXPECT_EQ(wait(index_.products("", 1000))->size(), 300u);
}

// Whichever ends first, changes applied afterwards stay, and marks do not mix.
TEST_F(RedisReset, OfTwoAtOnceOneWins) {
  RedisIndex other(address_of(server_), "t");
  for (int round = 0; round < rounds(32); ++round) {
    fill(2000);
    std::barrier together(2);
    auto reset = [&](RedisIndex& index, const std::string& epoch) {
      together.arrive_and_wait();
      auto done = wait(index.reset(state_named(epoch)));
      if (done) {
        (void)wait(index.apply(
            {epoch, "s", {}, {"1"}, {{"of " + epoch, Ulid::make(1, {}), {}, cell("en", 5)}}}));
      }
      return done.ok();
    };
    bool other_done = false;
    std::thread thread([&] { other_done = reset(other, "b"); });
    bool done = reset(index_, "a");
    thread.join();
    EXPECT_TRUE(done || other_done);
    auto state = wait(index_.state()).value();
    EXPECT_TRUE(state.epoch == "a" ? done : other_done) << state.epoch;
    auto products = wait(index_.products("", 10)).value();
    EXPECT_EQ(products, std::vector{"of " + state.epoch});
    EXPECT_EQ(state.marks.size(), 2u);
    EXPECT_TRUE(state.marks.contains("shard of " + state.epoch));
    EXPECT_EQ(keys(), 3 + 256 + 3 + 2) << "a list was left behind, or lost";
  }
}

}  // namespace
}  // namespace quire::redis
