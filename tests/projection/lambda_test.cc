// Batches of records as AWS Lambda gives them: repeated, at the same time, and cut off.
#include "projection/lambda.h"

#include <gtest/gtest.h>

#include "loop/loop.h"
#include "projection/follower.h"
#include "table_world.h"

namespace quire {
namespace {

using projection::Batch;
using Time = std::chrono::steady_clock::time_point;

class LambdaTest : public testing::Test {
 protected:
  LambdaTest() {
    world_.build_all(true);
    before_ = world_.stream.written.size();
    world_.index.calls.asked.clear();
    world_.write(60);
  }

  // Changes since the build, from the n-th on.
  std::vector<Change> changes(std::size_t from = 0) const {
    const auto& all = world_.stream.written;
    return {all.begin() + static_cast<std::ptrdiff_t>(before_ + from), all.end()};
  }
  Result<std::optional<std::string>> apply(std::vector<Change> some, Time until = Time::max()) {
    Batch batch{std::move(some), true, system_ms(), until};
    return wait(projection::apply_batch(world_.table, std::move(batch)));
  }
  void expect_exact() const {
    EXPECT_TRUE(world_.statistics_right());
    EXPECT_TRUE(world_.index_right());
  }
  static std::uint64_t as_of_ms(const State& state) { return change::as_of_ms(state); }

  TableWorld world_;
  std::size_t before_ = 0;  // changes
};

TEST_F(LambdaTest, ABatchIsAppliedToAllThatFollows) {
  auto now_ms = system_ms();
  EXPECT_FALSE(apply(changes()).value());
  expect_exact();
  EXPECT_GE(as_of_ms(world_.statistics.now), now_ms);
  EXPECT_GE(as_of_ms(world_.index.now), now_ms);
  for (const auto& [shard, mark] : world_.index.now.marks)
    EXPECT_EQ(shard, change::lambda_mark) << "the marks of the scan are of no more use";
}

TEST_F(LambdaTest, BatchesMayComeAgain) {
  auto all = changes();
  EXPECT_FALSE(apply(all).value());
  EXPECT_FALSE(apply(all).value());
  EXPECT_FALSE(apply({all.begin() + 10, all.begin() + 30}).value());
  EXPECT_FALSE(apply(all).value());
  expect_exact();
}

TEST_F(LambdaTest, WhereItFailsHalfWayTheFirstChangeLeftIsNamed) {
  auto all = changes();
  std::size_t cut = 17;  // the first of a record
  while (all[cut].sequence == all[cut - 1].sequence) ++cut;
  world_.statistics.max_once = cut;
  EXPECT_EQ(apply(all).value(), all[cut].sequence);
  world_.statistics.max_once = SIZE_MAX;
  EXPECT_FALSE(apply(changes(cut)).value());
  expect_exact();
}

TEST_F(LambdaTest, WhereNothingIsAppliedItIsAnError) {
  auto all = changes();
  world_.statistics.max_once = 0;
  auto applied = apply(all);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().message, down().message);
  world_.statistics.max_once = SIZE_MAX;
  world_.index.calls.fault = [](const std::string&) { return Fault::before; };
  EXPECT_FALSE(apply(all));
  world_.index.calls.fault = {};
  EXPECT_FALSE(apply(all).value());
  expect_exact();
}

// The index applies five hundred changes in a step.
TEST_F(LambdaTest, ALongBatchIsCutWhereTheIndexFails) {
  world_.write(3000);
  auto all = changes();
  ASSERT_GT(all.size(), 1200u);
  world_.index.calls.fault = [n = 0](const std::string& name) mutable {
    return name == "apply" && ++n == 3 ? Fault::before : Fault::none;
  };
  EXPECT_EQ(apply(all).value(), all[1000].sequence);
  EXPECT_EQ(world_.index.max_changes, 500u);
  EXPECT_FALSE(apply(changes(1000)).value());
  expect_exact();
}

TEST_F(LambdaTest, NothingIsBegunWhenTheTimeIsOver) {
  auto applied = apply(changes(), std::chrono::steady_clock::now());
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().message, "The time of the call is over.");
  EXPECT_EQ(world_.index.calls.asked["apply"], 0u);
  // Between two steps of the index, too.
  world_.write(1000);
  auto all = changes();
  ASSERT_GT(all.size(), 500u);
  // Enough to come to the first step.
  auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  world_.index.calls.fault = [&](const std::string& name) {
    if (name == "apply") std::this_thread::sleep_until(until);
    return Fault::none;
  };
  EXPECT_FALSE(apply(all, until)) << "the statistics had no time at all";
  EXPECT_EQ(world_.index.calls.asked["apply"], 1u);
}

TEST_F(LambdaTest, CallsAtTheSameTimeMoveOneMark) {
  auto all = changes();
  auto half = static_cast<std::ptrdiff_t>(all.size() / 2);
  world_.index.calls.max_turns = 3;
  std::vector<Awaitable<Result<std::optional<std::string>>>> calls;
  for (auto some : {std::vector<Change>(all.begin(), all.begin() + half), all,
                    std::vector<Change>(all.begin() + half, all.end())}) {
    Batch batch{std::move(some), true, system_ms(), Time::max()};
    calls.push_back(projection::apply_batch(world_.table, std::move(batch)));
  }
  // Statistics take each change once and in order, so here the index alone is asked.
  world_.table.followed.erase(world_.table.followed.begin());
  for (const auto& each : wait(quire::all(std::move(calls)))) EXPECT_FALSE(each.value());
  // Of calls that overlap, the last change of a comment comes last when it comes again.
  EXPECT_FALSE(apply(all).value());
  EXPECT_TRUE(world_.index_right());
}

TEST_F(LambdaTest, ATargetThatIsNotLambdasIsRefused) {
  struct Case {
    State state;
    const char* says;
  };
  State workers{Phase::following, "e", world_.stream.arn, {{"shard-0", {}}}};
  for (const auto& [state, says] : {Case{workers, "quire project keeps the "},
                                    Case{{}, "does not follow the table: run quire backfill"}}) {
    world_.statistics.now = state;
    auto applied = apply(changes());
    ASSERT_FALSE(applied);
    EXPECT_NE(applied.error().message.find(says), std::string::npos) << applied.error().message;
  }
  TableWorld world;
  world.build_all();
  Batch batch{world.stream.written, true, system_ms(), Time::max()};
  EXPECT_FALSE(wait(projection::apply_batch(world.table, batch)));
  EXPECT_TRUE(world.index_right());
}

TEST_F(LambdaTest, AnEventWithoutRecordsTellsThatTimeGoesBy) {
  ASSERT_FALSE(apply(changes()).value());
  auto later_ms = system_ms() + 1'000'000;
  Batch batch{{}, false, later_ms, Time::max()};
  EXPECT_FALSE(wait(projection::apply_batch(world_.table, batch)).value());
  EXPECT_EQ(as_of_ms(world_.statistics.now), later_ms);
  EXPECT_EQ(as_of_ms(world_.index.now), later_ms);
  // Time never goes back.
  batch.as_of_ms = 1;
  EXPECT_FALSE(wait(projection::apply_batch(world_.table, batch)).value());
  EXPECT_EQ(as_of_ms(world_.statistics.now), later_ms);
}

// The statistics' own mark comes as a record, too.
TEST_F(LambdaTest, RecordsOfNoCommentAreNoReasonForAnotherRecord) {
  ASSERT_FALSE(apply(changes()).value());
  auto puts = world_.statistics.calls.asked["put_as_of"];
  auto now_ms = as_of_ms(world_.statistics.now);
  Batch batch{{}, true, now_ms + 59'999, Time::max()};
  EXPECT_FALSE(wait(projection::apply_batch(world_.table, batch)).value());
  EXPECT_EQ(world_.statistics.calls.asked["put_as_of"], puts);
  batch.as_of_ms = now_ms + 60'000;
  EXPECT_FALSE(wait(projection::apply_batch(world_.table, batch)).value());
  EXPECT_EQ(world_.statistics.calls.asked["put_as_of"], puts + 1);
}

}  // namespace
}  // namespace quire
