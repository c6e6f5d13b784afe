// One shard's records to the target: each once, in order, whatever fails.
#include "projection/follower.h"

#include <gtest/gtest.h>

#include "follower_fixture.h"

namespace quire {
namespace {

TEST_F(FollowerTest, OldAndNewRecordsAreAppliedInBatches) {
  writer_.write(50);
  follow();
  ASSERT_TRUE(until_in_step());
  writer_.write(50);
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
  EXPECT_EQ(mark().read_to, stream_.written.back().sequence);
  EXPECT_FALSE(mark().ended);
  EXPECT_EQ(counters_.changes, stream_.written.size());
  EXPECT_EQ(counters_.failures, 0u);
  EXPECT_FALSE(end_);
  // It holds one answer, and two changes a record at most.
  EXPECT_LE(target_.max_changes, 2 * stream_.records_at_once);
}

TEST_F(FollowerTest, AShardThatEndsIsMarkedSoEvenWhenItIsEmpty) {
  stream_.roll(0);
  follow();
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  EXPECT_EQ(end_, End::done);
  EXPECT_EQ(mark().read_to, "");
  EXPECT_TRUE(mark().ended);

  writer_.write(20);
  stream_.roll(0);
  follow("shard-1");
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  EXPECT_EQ(end_, End::done);
  EXPECT_EQ(target_.now.marks.at("shard-1").read_to, stream_.written.back().sequence);
  EXPECT_TRUE(target_.now.marks.at("shard-1").ended);
  expect_exact(stream_, target_);
}

TEST_F(FollowerTest, GoesOnAfterItsMark) {
  writer_.write(20);
  follow();
  ASSERT_TRUE(until_in_step());
  mine_ = false;
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  EXPECT_EQ(end_, End::left);
  writer_.write(20);
  follow();
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
}

TEST_F(FollowerTest, AnEmptyAnswerIsNotTheEnd) {
  writer_.write(30);
  stream_.calls.fault = [n = 0](const std::string& asked) mutable {
    return asked == "read" && ++n % 3 != 0 ? Fault::empty : Fault::none;
  };
  follow();
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
}

// Where it just began the service may look for long.
TEST_F(FollowerTest, NothingIsPromisedAfterAFewEmptyAnswers) {
  writer_.write(30);
  auto wrote_ms = stream_.now_ms;
  stream_.now_ms += 60'000;
  stream_.calls.fault = [n = 0](const std::string& asked) mutable {
    return asked == "read" && ++n <= 4 ? Fault::empty : Fault::none;
  };
  target_.calls.fault = [&](const std::string& asked) {
    if (asked != "apply" || in_step(stream_, target_)) return Fault::none;
    EXPECT_LE(change::as_of_ms(target_.now), wrote_ms);
    return Fault::none;
  };
  follow();
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
}

TEST_F(FollowerTest, AnIteratorThatExpiresIsReplaced) {
  writer_.write(30);
  stream_.calls.fault = first("read", {Fault::none, Fault::expired, Fault::none, Fault::expired});
  follow();
  ASSERT_TRUE(until_in_step());
  EXPECT_EQ(stream_.calls.asked["iterator"], 3u);
  expect_exact(stream_, target_);
}

TEST_F(FollowerTest, AFailedReadIsRepeated) {
  writer_.write(30);
  auto shared = first("read", {Fault::before, Fault::none, Fault::before, Fault::before});
  stream_.calls.fault = [=, asked = 0](const std::string& name) mutable {
    return name == "iterator" && asked++ < 2 ? Fault::before : shared(name);
  };
  follow();
  ASSERT_TRUE(until_in_step());
  EXPECT_EQ(counters_.failures, 5u);
  expect_exact(stream_, target_);
}

// Whether the step was made, the target itself tells.
TEST_F(FollowerTest, AnAnswerThatIsLostMakesNoStepTwiceAndLosesNone) {
  writer_.write(40);
  using F = Fault;
  target_.calls.fault = first("apply", {F::before, F::none, F::after, F::before, F::before});
  for (int round = 0; round < 10 && !in_step(stream_, target_); ++round) {
    follow();
    ASSERT_TRUE(crew_.until([&] { return end_.has_value() || in_step(stream_, target_); }));
    EXPECT_TRUE(!end_ || *end_ == End::changed);
  }
  ASSERT_TRUE(until_in_step());
  crew_.spend(Milliseconds(20));
  expect_exact(stream_, target_);
  EXPECT_EQ(counters_.failures, 4u);
}

// A target in trouble is asked ever more seldom, as long as nothing becomes of it.
TEST_F(FollowerTest, ALongFailureIsRepeatedEverMoreSlowly) {
  writer_.write(5);
  std::vector<std::chrono::steady_clock::time_point> tries;
  target_.calls.fault = [&](const std::string& name) {
    if (name == "apply") tries.push_back(std::chrono::steady_clock::now());
    return name == "apply" ? Fault::before : Fault::none;
  };
  follow();
  ASSERT_TRUE(crew_.until([&] { return tries.size() == 8; }));
  EXPECT_FALSE(end_) << "it does not begin anew";
  EXPECT_GE(tries[7] - tries[6], Milliseconds(64));
  EXPECT_GE(counters_.failures, 7u);
  target_.calls.fault = {};
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
}

TEST_F(FollowerTest, EndsSoonThoughItWaitsForLong) {
  projection::Pace slow = hurried();
  slow.poll = std::chrono::hours(1);
  slow.retry_delay = std::chrono::hours(1);
  Follower patient(stream_, target_, slow, stream_.clock(), counters_);
  for (bool fails : {false, true}) {
    mine_ = true;
    end_.reset();
    auto before = stream_.calls.asked["read"];
    stream_.calls.fault = [=](const std::string&) { return fails ? Fault::before : Fault::none; };
    crew_.run(
        [](Follower& patient, State state, bool& mine, std::optional<End>& end) -> Awaitable<void> {
          end = co_await patient.follow(std::move(state), "shard-0", [&mine] { return mine; });
        }(patient, target_.now, mine_, end_));
    ASSERT_TRUE(crew_.until(
        [&] { return fails ? counters_.failures > 0 : stream_.calls.asked["read"] > before; }));
    crew_.spend(Milliseconds(5));
    EXPECT_FALSE(end_);
    mine_ = false;
    ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
    EXPECT_EQ(end_, End::left);
  }
}

TEST_F(FollowerTest, AnotherWasFaster) {
  writer_.write(20);
  follow();
  ASSERT_TRUE(until_in_step());
  target_.now.marks["shard-0"].read_to = "0";
  writer_.write(5);
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  EXPECT_EQ(end_, End::changed);

  follow();
  target_.now.epoch = "another";
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  EXPECT_EQ(end_, End::changed);
}

TEST_F(FollowerTest, RecordsThatAreGoneAreTold) {
  writer_.write(20);
  follow();
  ASSERT_TRUE(until_in_step());
  mine_ = false;
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  writer_.write(20);
  stream_.trim("shard-0", stream_.records("shard-0").size() - 5);
  follow();
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  EXPECT_EQ(end_, End::gone);
}

// Records that went while it was reading, and the whole shard.
TEST_F(FollowerTest, RecordsThatGoUnderAReaderAreToldToo) {
  writer_.write(3);
  follow();
  ASSERT_TRUE(until_in_step());
  stream_.drop("shard-0");
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  EXPECT_EQ(end_, End::gone);
}

// It slept, and another has applied what is gone since.
TEST_F(FollowerTest, AStepOfAnotherWorkerIsNotMissed) {
  writer_.write(10);
  State old = target_.now;
  follow();
  ASSERT_TRUE(until_in_step());
  mine_ = false;
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  stream_.trim("shard-0", 9);
  old.marks["shard-0"] = {stream_.written[0].sequence};
  mine_ = true;
  end_.reset();
  crew_.run(task(old, "shard-0"));
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  EXPECT_EQ(end_, End::changed);
}

}  // namespace
}  // namespace quire
