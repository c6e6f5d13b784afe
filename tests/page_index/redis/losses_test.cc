// Steps that a worker left half-way, come late, or are lost by one bucket.
#include <gtest/gtest.h>

#include "page_index/redis/changes.h"
#include "page_index/redis/raw_client.h"
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

using change::Change;
using change::Mark;
using change::Phase;
using change::State;
using change::Step;

class RedisLosses : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(wait(index_.reset({Phase::following, "e", "arn", {{"s", {"0"}}}})));
  }

  static Change inserted(const std::string& product, std::uint8_t number) {
    return {product, Ulid::make(1'700'000'000'000, {number}), {}, cell("en", 5)};
  }
  Result<bool> step(int from, std::vector<Change> changes) {
    Step step{"e", "s", Mark{std::to_string(from)}, {std::to_string(from + 1)}};
    step.changes = std::move(changes);
    return wait(index_.apply(std::move(step)));
  }
  Result<std::uint64_t> length(const std::string& product) {
    Cell all{};
    auto lengths = wait(index_.ranks()->lengths(product, {&all, 1}));
    if (!lengths) return lengths.error();
    return lengths->at(0);
  }
  std::string bucket(const std::string& product) {
    return "quire-pages:{t/" + std::to_string(bucket_of(product)) + "}:";
  }
  void expect_lost(const Error& error) {
    EXPECT_EQ(error.message,
              "The page index lost changes: a server of Redis came back without its latest writes. "
              "Run quire backfill.");
    EXPECT_EQ(wait(index_.state())->phase, Phase::lost);
  }

  RedisServer server_;
  RedisIndex index_{address_of(server_), "t"};
  RawClient ask_{server_};
};

// As a worker leaves it that dies between two buckets: the bucket of "2" fails.
TEST_F(RedisLosses, AStepThatWasLeftHalfWayIsCompletedByTheNext) {
  ASSERT_TRUE(ask_({"SET", bucket("2") + "fences", "in the way"}));
  EXPECT_FALSE(step(0, {inserted("1", 1), inserted("2", 1)}));
  EXPECT_EQ(wait(index_.state())->marks.at("s"), Mark{"0"});
  EXPECT_FALSE(step(0, {inserted("3", 1)})) << "the open step is not completed";
  ASSERT_TRUE(ask_({"DEL", bucket("2") + "fences"}));
  RedisIndex other(address_of(server_), "t");
  Step another{"e", "s", Mark{"0"}, {"9"}};
  another.changes = {inserted("3", 1)};
  EXPECT_FALSE(*wait(other.apply(another))) << "the mark is now that of the earlier step";
  EXPECT_EQ(wait(index_.state())->marks.at("s"), Mark{"1"});
  for (auto [product, wanted] : {std::pair("1", 1u), {"2", 1u}, {"3", 0u}})
    EXPECT_EQ(*length(product), wanted) << product;
  EXPECT_TRUE(*step(1, {inserted("3", 1)}));
  EXPECT_EQ(ask_({"EXISTS", "quire-pages:{t}:open", "quire-pages:{t}:steps"})->number, 0);
}

// The request for a bucket arrives again when later steps are made: as the next step of the shard
// in this bucket, and when no fence tells of the shard any more.
TEST_F(RedisLosses, APartOfAStepThatComesLateDoesNothing) {
  ASSERT_TRUE(*step(0, {inserted("1", 1)}));
  auto number = ask_({"ZSCORE", bucket("1") + "fences", "s"})->bytes;
  auto late = [&] {
    auto life = ask_({"HGET", bucket("1") + "state", "life"})->bytes;
    auto call = call_of(bucket_scripts().change, Keys("t").bucket(bucket_of("1")),
                        parts_of({inserted("1", 1)}).at(0), {"s", number, number});
    call.keys.insert(call.keys.begin(), bucket("1") + "state");
    call.arguments.insert(call.arguments.begin(), {life, "0"});
    std::vector<std::string> words{"EVAL", call.script.text, std::to_string(call.keys.size())};
    words.insert(words.end(), call.keys.begin(), call.keys.end());
    words.insert(words.end(), call.arguments.begin(), call.arguments.end());
    return ask_({words.begin(), words.end()}).value();
  };
  Change removed{"1", inserted("1", 1).id, cell("en", 5), {}};
  ASSERT_TRUE(*step(1, {removed}));
  EXPECT_EQ(late().list.size(), 1u) << "the number is below the fence";
  EXPECT_EQ(*length("1"), 0u);
  Step other{"e", "another shard", {}, {"1"}};
  other.changes = {inserted("1", 2)};
  ASSERT_TRUE(*wait(index_.apply(other)));
  EXPECT_EQ(ask_({"ZCARD", bucket("1") + "fences"})->number, 1)
      << "the fence of shard s is dropped";
  EXPECT_EQ(late().list.size(), 1u) << "the number is below those of open steps";
  EXPECT_EQ(*length("1"), 1u);
}

TEST_F(RedisLosses, ABucketThatIsEmptyAgainIsNoticedByAQuestion) {
  ASSERT_TRUE(*step(0, {inserted("1", 1), inserted("2", 1)}));
  ASSERT_TRUE(ask_({"EVAL", "return redis.call('DEL', unpack(redis.call('KEYS', ARGV[1])))", "0",
                    bucket("1") + "*"}));
  auto found = length("1");
  ASSERT_FALSE(found);
  expect_lost(found.error());
  EXPECT_EQ(*length("2"), 1u);
  EXPECT_FALSE(wait(index_.products("", 10)));
}

// A replica took over that did not have the last write.
TEST_F(RedisLosses, ABucketThatIsBehindIsNoticedByAStep) {
  ASSERT_TRUE(*step(0, {inserted("1", 1)}));
  ASSERT_TRUE(*step(1, {inserted("1", 2)}));
  ASSERT_TRUE(ask_({"HSET", bucket("1") + "state", "count", "1"}));
  auto made = step(2, {inserted("1", 3)});
  ASSERT_FALSE(made);
  expect_lost(made.error());
}

// This index does not know yet of the step that the bucket lost. A step of its own in the same
// bucket would make the count whole again.
TEST_F(RedisLosses, AChangeOfAnotherWorkerThatABucketLostIsNoticedByAStep) {
  ASSERT_TRUE(*step(0, {inserted("1", 1)}));
  EXPECT_EQ(*length("1"), 1u);
  RedisIndex other(address_of(server_), "t");
  Step another{"e", "another shard", {}, {"1"}};
  another.changes = {inserted("1", 2)};
  ASSERT_TRUE(*wait(other.apply(another)));
  ASSERT_TRUE(ask_({"HSET", bucket("1") + "state", "count", "1"}));
  auto made = step(1, {inserted("1", 3)});
  ASSERT_FALSE(made);
  expect_lost(made.error());
}

TEST_F(RedisLosses, AChangeOfAnotherWorkerThatABucketLostIsNoticedByARepair) {
  ASSERT_TRUE(*step(0, {inserted("1", 1)}));
  EXPECT_EQ(*length("1"), 1u);
  RedisIndex other(address_of(server_), "t");
  ASSERT_TRUE(wait(other.put({inserted("1", 2)})));
  ASSERT_TRUE(ask_({"HSET", bucket("1") + "state", "count", "1"}));
  auto repaired = wait(index_.put({inserted("1", 3)}));
  ASSERT_FALSE(repaired);
  expect_lost(repaired.error());
}

// The same, and nobody changes the bucket: a question over a new connection goes by a state that is
// as new.
TEST_F(RedisLosses, AChangeOfAnotherWorkerThatABucketLostIsNoticedAfterAReconnection) {
  ASSERT_TRUE(*step(0, {inserted("1", 1)}));
  EXPECT_EQ(*length("1"), 1u);
  RedisIndex other(address_of(server_), "t");
  ASSERT_TRUE(wait(other.put({inserted("1", 2)})));
  ASSERT_TRUE(ask_({"HSET", bucket("1") + "state", "count", "1"}));
  ASSERT_TRUE(ask_({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"}));
  for (;;) {
    auto found = length("1");
    ASSERT_FALSE(found) << "a list of " << *found << " is believed";
    if (found.error().message.find("does not answer") == std::string::npos)
      return expect_lost(found.error());
  }
}

TEST_F(RedisLosses, ARedisThatIsEmptyAgainIsNoticedByAQuestion) {
  ASSERT_TRUE(*step(0, {inserted("1", 1)}));
  EXPECT_EQ(*length("1"), 1u);
  ASSERT_TRUE(ask_({"FLUSHALL"}));
  for (int i = 0; i < 2; ++i) {
    auto found = length("1");
    ASSERT_FALSE(found) << "a list of " << *found << " is believed";
    EXPECT_EQ(found.error().message,
              "The page index is empty: Redis came back without its data, or the data was removed. "
              "Run quire backfill.");
  }
  EXPECT_EQ(wait(index_.state())->phase, Phase::empty);
  ASSERT_TRUE(wait(index_.reset({Phase::following, "f", "arn", {}})));
  EXPECT_EQ(*length("1"), 0u);
}

TEST_F(RedisLosses, ARepairThatABucketLostIsNoticed) {
  ASSERT_TRUE(wait(index_.put({inserted("1", 1)})));
  ASSERT_TRUE(ask_({"HDEL", bucket("1") + "state", "count"}));
  auto found = length("1");
  ASSERT_FALSE(found);
  expect_lost(found.error());
}

// The state went back, and with it the last number: steps are made again with larger ones.
TEST_F(RedisLosses, AStateThatIsBehindIsCaughtUpWith) {
  auto before = ask_({"HGET", "quire-pages:{t}:state", "number"})->bytes;
  ASSERT_TRUE(*step(0, {inserted("1", 1)}));
  ASSERT_TRUE(ask_({"HSET", "quire-pages:{t}:marks", "s", "0 0 0"}));
  ASSERT_TRUE(ask_({"HSET", "quire-pages:{t}:state", "number", before}));
  ASSERT_TRUE(ask_({"DEL", "quire-pages:{t}:counts"}));
  std::this_thread::sleep_for(std::chrono::milliseconds(2));  // a failover takes longer
  ASSERT_TRUE(*step(0, {inserted("1", 1), inserted("1", 2)}));
  EXPECT_EQ(*length("1"), 2u);
}

// And the clock that gives numbers is behind those that gave the lost ones.
TEST_F(RedisLosses, AStepWithANumberTooSmallGetsALargerOne) {
  ASSERT_TRUE(ask_({"HSET", bucket("1") + "state", "low", "9000000000000"}));
  EXPECT_FALSE(*step(0, {inserted("1", 1), inserted("2", 1)}));
  EXPECT_EQ(wait(index_.state())->marks.at("s"), Mark{"0"});
  EXPECT_FALSE(*step(0, {})) << "completes the open step";
  EXPECT_EQ(wait(index_.state())->marks.at("s"), Mark{"1"});
  for (auto product : {"1", "2"}) EXPECT_EQ(*length(product), 1u) << product;
  EXPECT_TRUE(*step(1, {inserted("1", 2)}));
  EXPECT_EQ(*length("1"), 2u);
}

// A bucket has a later step of the same shard, made before the failover. The new step is another,
// and its number is above `low`, which lags behind where another shard has an older open step.
TEST_F(RedisLosses, AStepWithANumberBelowTheFenceGetsALargerOne) {
  ASSERT_TRUE(ask_({"ZADD", bucket("1") + "fences", "9000000000000", "s"}));
  ASSERT_TRUE(ask_({"ZADD", bucket("2") + "fences", "9000000000007", "s"}));
  EXPECT_FALSE(*step(0, {inserted("1", 1), inserted("2", 1)}));
  EXPECT_EQ(wait(index_.state())->marks.at("s"), Mark{"0"});
  EXPECT_FALSE(*step(0, {})) << "completes the open step";
  EXPECT_EQ(wait(index_.state())->marks.at("s"), Mark{"1"}) << "above the fences of all buckets";
  for (auto product : {"1", "2"}) EXPECT_EQ(*length(product), 1u) << product;
}

}  // namespace
}  // namespace quire::redis
