// The page index on a Redis Cluster whose slots move, and whose nodes fail.
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "page_index/index_compare.h"
#include "page_index/redis/redis_cluster.h"

namespace quire::redis {
namespace {

using change::Change;
using change::Mark;
using change::Phase;
using change::State;
using change::Step;

const State at_first{Phase::following, "e", "arn", {{"s", {"0"}}}};

class RedisOnCluster : public testing::Test {
 protected:
  static RedisCluster& cluster() {
    static RedisCluster one;
    return one;
  }

  void SetUp() override {
    name_ = testing::UnitTest::GetInstance()->current_test_info()->name();
    index_ = std::make_unique<RedisIndex>(cluster().address(0), name_);
    ASSERT_TRUE(wait(index_->reset(at_first)));
  }

  std::uint16_t slot_of_product(const std::string& product) const {
    return slot_of(Keys(name_).bucket(bucket_of(product)).state());
  }
  // A product whose bucket is on another node than the state of the index.
  std::string product_elsewhere() {
    auto of_state = cluster().primary_of(slot_of(Keys(name_).state()));
    for (int i = 0; i < 1000; ++i) {
      auto product = std::to_string(i);
      if (cluster().primary_of(slot_of_product(product)) != of_state) return product;
    }
    throw std::runtime_error("all buckets are on one node");
  }

  // The next step of shard "s". Tries until the step is made, as a worker does.
  void follow(std::vector<Change> changes) {
    Mark after{std::to_string(++made_)};
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (;;) {
      Step step{"e", "s", Mark{std::to_string(made_ - 1)}, after, changes};
      auto made = wait(index_->apply(step));
      if (made && *made) return;
      auto state = wait(index_->state());
      if (state && state->marks.at("s") == after) return;  // whose reply was lost
      ASSERT_LT(std::chrono::steady_clock::now(), deadline)
          << (made ? "refused" : made.error().message);
      if (state) {
        ASSERT_EQ(state->phase, Phase::following);
      }
    }
  }
  std::vector<Change> random_changes(std::size_t count) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < count; ++i)
      changes.push_back(plain_.wander(random_, std::to_string(random_() % 20)));
    return changes;
  }

  // The index has all comments, and no others.
  void expect_right(RedisIndex& index) {
    EXPECT_EQ(wait(index.products("", 100)).value(), plain_.names());
    for (const auto& name : plain_.names()) {
      Comparison comparison(index, plain_, name);
      comparison.lengths();
      comparison.slices(random_);
    }
  }

  std::string name_;
  std::unique_ptr<RedisIndex> index_;
  std::mt19937_64 random_{5};
  PlainCells plain_;
  int made_ = 0;
};

TEST_F(RedisOnCluster, SpreadsOverAllNodesAndIsFoundFromAny) {
  follow(random_changes(200));
  for (std::size_t node = 0; node < RedisCluster::primaries; ++node)
    EXPECT_GT(cluster().ask(node, {"DBSIZE"})->number, 80);
  for (std::size_t node : {2u, 4u}) {  // 4: a replica
    RedisIndex other(cluster().address(node), name_);
    expect_right(other);
  }
}

TEST_F(RedisOnCluster, FollowsSlotsThatMoveWhileItIsReadAndWritten) {
  follow(random_changes(200));
  std::set<std::uint16_t> slots{slot_of(Keys(name_).state())};
  for (int product = 0; product < 10; ++product)
    slots.insert(slot_of_product(std::to_string(product)));
  std::atomic<bool> done = false;
  std::atomic<int> read = 0;
  std::thread reader([&] {
    RedisIndex other(cluster().address(1), name_);
    std::mt19937_64 random(1);
    Cell all{};
    while (!done) {
      auto lengths = wait(other.ranks()->lengths(std::to_string(random() % 20), {&all, 1}));
      if (!lengths) {  // a script has all keys of a list at one node, or waits
        const auto& told = lengths.error().message;
        EXPECT_TRUE(told ==
                        "The page index is moving between nodes of the cluster. Try again in a "
                        "moment." ||
                    told.find("it takes too long") != told.npos)
            << told;
      }
      ++read;
    }
  });
  std::thread writer([&] {
    while (!done) follow(random_changes(8));
  });
  for (auto slot : slots) {
    auto from = cluster().primary_of(slot);
    cluster().move(slot, from, (from + 1) % RedisCluster::primaries);
    for (auto before = read.load(); read < before + 5;)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  done = true;
  reader.join();
  writer.join();
  expect_right(*index_);
  std::size_t moved = 0;
  for (std::size_t node = 0; node < RedisCluster::primaries; ++node)
    moved += cluster().refused(node, "MOVED");
  EXPECT_GT(moved, 0u);
}

TEST_F(RedisOnCluster, AsksTheNodeThatASlotMovesTo) {
  std::vector<Change> changes;
  for (int rating = 1; rating <= 5; ++rating)
    changes.push_back({"7", random_id(random_), {}, cell("en", rating)});
  follow(changes);
  auto slot = slot_of_product("7");
  auto from = cluster().primary_of(slot);
  auto asked = cluster().refused(from, "ASK");
  Cell all{};
  const std::vector<std::uint64_t> five{5};
  cluster().move(slot, from, (from + 1) % RedisCluster::primaries, [&] {
    EXPECT_EQ(wait(index_->ranks()->lengths("7", {&all, 1})).value(), five);
    EXPECT_GT(cluster().refused(from, "ASK"), asked);
  });
  EXPECT_EQ(wait(index_->ranks()->lengths("7", {&all, 1})).value(), five);
}

// The node that has the state of the index, and a third of the buckets. Its replica takes over, and
// has all that was acknowledged.
TEST_F(RedisOnCluster, GoesOnAfterAFailover) {
  follow(random_changes(200));
  auto slot = slot_of(Keys(name_).state());
  auto node = cluster().primary_of(slot);
  cluster().server(node).stop();
  for (int i = 0; i < 3; ++i) follow(random_changes(20));
  auto other = (node + 1) % (2 * RedisCluster::primaries);
  EXPECT_NE(cluster().primary_of(slot, other), node);
  expect_right(*index_);
  RedisIndex anew(cluster().address(other), name_);
  expect_right(anew);
  cluster().server(node).start();
  cluster().wait_until_whole();
  follow(random_changes(20));
  expect_right(*index_);
}

// A node comes back without its data, before a replica took over.
TEST_F(RedisOnCluster, IsLostWhereANodeLostItsData) {
  follow(random_changes(100));
  auto product = product_elsewhere();
  auto node = cluster().primary_of(slot_of_product(product));
  ASSERT_TRUE(cluster().ask(node, {"FLUSHALL"}));
  Cell all{};
  auto lengths = wait(index_->ranks()->lengths(product, {&all, 1}));
  ASSERT_FALSE(lengths);
  EXPECT_EQ(lengths.error().message,
            "The page index lost changes: a server of Redis came back without its latest writes. "
            "Run quire backfill.");
  EXPECT_EQ(wait(index_->state())->phase, Phase::lost);
  ASSERT_TRUE(wait(index_->reset(at_first)));
  EXPECT_EQ(wait(index_->ranks()->lengths(product, {&all, 1})).value(),
            std::vector<std::uint64_t>{0});
}

}  // namespace
}  // namespace quire::redis
