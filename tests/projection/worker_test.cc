// A worker by itself, and with others: what it waits for, what it tells, how it stops.
#include "projection/worker.h"

#include <gtest/gtest.h>

#include <thread>

#include "crew.h"
#include "projection/follower.h"

namespace quire {
namespace {

class WorkerTest : public testing::Test {
 protected:
  WorkerTest() { target_.now = following(stream_); }

  Worker& hire() { return *crew_.hire(stream_, target_).worker; }
  [[nodiscard]] bool until_in_step() {
    return crew_.until([&] { return in_step(stream_, target_); });
  }
  [[nodiscard]] bool until_phase(Phase phase) {
    return crew_.until([&] { return target_.now.phase == phase; });
  }
  [[nodiscard]] bool until_told(const Worker& worker, const std::string& words) {
    return crew_.until([&] { return worker.status().trouble.find(words) != std::string::npos; });
  }
  [[nodiscard]] bool until_content(const Worker& worker) {
    return crew_.until([&] { return worker.status().trouble.empty(); });
  }

  PlainStream stream_;
  PlainTarget target_;
  Crew crew_;
  Writer writer_{stream_, 2};
};

TEST_F(WorkerTest, FollowsShardsParentsBeforeChildren) {
  auto& worker = hire();
  for (int round = 0; round < 6; ++round) {
    writer_.write(20);
    stream_.split(static_cast<std::size_t>(round));
    writer_.write(20);
    stream_.roll(static_cast<std::size_t>(7 - round));
  }
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
  EXPECT_EQ(worker.counters().changes, stream_.written.size());
  ASSERT_TRUE(crew_.until([&] { return worker.status().shards > 1; }));
  EXPECT_EQ(worker.status().phase, Phase::following);
  EXPECT_EQ(worker.status().trouble, "");
  ASSERT_TRUE(crew_.stop());
  EXPECT_TRUE(stream_.all_leases["p-e"].empty()) << "they are free for others";
  EXPECT_TRUE(target_.now.marks.at("shard-0").ended);
}

TEST_F(WorkerTest, ShardsThatCloseWhileTheyAreEmptyAreGoneThrough) {
  for (int i = 0; i < 10; ++i) stream_.roll(0);
  writer_.write(10);
  hire();
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
}

TEST_F(WorkerTest, WaitsWhileNothingIsBuiltAndTells) {
  State state = target_.now;
  target_.now = {};
  writer_.write(10);
  auto& worker = hire();
  ASSERT_TRUE(until_told(worker, "Run quire backfill"));
  EXPECT_EQ(worker.status().phase, Phase::empty);
  crew_.spend(Milliseconds(30));
  EXPECT_TRUE(target_.applied.empty());
  EXPECT_EQ(stream_.calls.all(), 0u) << "the source is not asked for it";

  target_.now = state;
  target_.now.phase = Phase::building;
  ASSERT_TRUE(until_told(worker, "being built"));
  EXPECT_EQ(worker.status().phase, Phase::building);
  EXPECT_TRUE(target_.applied.empty());

  target_.now.phase = Phase::following;
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
  ASSERT_TRUE(until_content(worker));
}

TEST_F(WorkerTest, BeginsWhereNothingWasBuiltIfThatTakesAMoment) {
  State state = target_.now;
  target_.now = {};
  int asked = 0;
  bool is_empty = true;
  auto begin = [&]() -> Awaitable<bool> {
    ++asked;
    if (is_empty) target_.now = state;
    co_return is_empty;
  };
  auto& worker = *crew_.hire(stream_, target_, hurried(), begin).worker;
  writer_.write(10);
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
  EXPECT_EQ(worker.status().trouble, "");
  EXPECT_EQ(asked, 1);
  // Lost later, when the table has comments: it is not asked again at once.
  is_empty = false;
  target_.now = {};
  ASSERT_TRUE(until_told(worker, "Run quire backfill"));
  EXPECT_EQ(asked, 1);
  target_.now.phase = Phase::building;
  ASSERT_TRUE(until_told(worker, "being built"));
  EXPECT_EQ(asked, 1);
}

TEST_F(WorkerTest, BeginsAgainBehindWhatIsLostIfItMay) {
  State state = target_.now;
  target_.now.phase = Phase::lost;
  int asked = 0;
  projection::Worker::Options options;
  options.pace = hurried();
  options.begins_again = true;
  options.remedy = "Nothing is to be done.";
  options.begin = [&]() -> Awaitable<bool> {
    ++asked;
    target_.now = state;
    co_return true;
  };
  auto& worker = *crew_.hire(stream_, target_, std::move(options)).worker;
  writer_.write(10);
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
  EXPECT_EQ(worker.status().trouble, "");
  EXPECT_EQ(asked, 1);
  target_.now.phase = Phase::lost;
  ASSERT_TRUE(until_told(worker, "Nothing is to be done.")) << "once a minute at most";
  EXPECT_EQ(asked, 1);
}

TEST_F(WorkerTest, ABeginThatFailsIsTriedWithTheNextBeat) {
  State state = target_.now;
  target_.now = {};
  int asked = 0;
  projection::Worker::Options options;
  options.pace = hurried();
  options.begins_again = true;
  options.begin = [&]() -> Awaitable<bool> {
    bool begins = ++asked == 3;
    if (begins) target_.now = state;
    co_return begins;
  };
  crew_.hire(stream_, target_, std::move(options));
  writer_.write(10);
  ASSERT_TRUE(until_in_step());
  EXPECT_EQ(asked, 3);
}

TEST_F(WorkerTest, ALongBuildWaitsForABackfill) {
  target_.now = {};
  int asked = 0;
  auto begin = [&]() -> Awaitable<bool> {
    ++asked;
    co_return false;
  };
  auto& worker = *crew_.hire(stream_, target_, hurried(), begin).worker;
  ASSERT_TRUE(until_told(worker, "Run quire backfill"));
  crew_.spend(Milliseconds(30));
  EXPECT_EQ(asked, 1) << "once a minute";
  EXPECT_EQ(target_.now.phase, Phase::empty);
}

// What it follows ends where its life does.
TEST_F(WorkerTest, BuiltAnewItLeavesTheOldLifeAndGoesOnInTheNew) {
  hire();
  writer_.write(30);
  ASSERT_TRUE(until_in_step());
  State anew = target_.now;
  anew.epoch = "e2";
  anew.phase = Phase::building;
  target_.now = anew;
  writer_.write(30);
  crew_.spend(Milliseconds(40));
  EXPECT_LT(target_.applied.size(), stream_.written.size());
  target_.now.phase = Phase::following;
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
}

TEST_F(WorkerTest, RecordsThatAreGoneEndInLost) {
  auto& worker = hire();
  writer_.write(30);
  ASSERT_TRUE(until_in_step());
  ASSERT_TRUE(crew_.stop());
  writer_.write(30);
  stream_.trim("shard-0", stream_.records("shard-0").size() - 3);
  EXPECT_EQ(worker.status().phase, Phase::following);
  auto& next = hire();
  ASSERT_TRUE(until_phase(Phase::lost));
  ASSERT_TRUE(
      until_told(next, "The stream no longer has the records that come next. Run quire backfill."));
  EXPECT_EQ(next.status().as_of_ms, 0u);
  auto applied = target_.applied.size();
  crew_.spend(Milliseconds(30));
  EXPECT_EQ(target_.applied.size(), applied) << "nothing with a gap in it";
}

TEST_F(WorkerTest, AShardThatIsGoneEndsInLost) {
  hire();
  writer_.write(30);
  ASSERT_TRUE(until_in_step());
  ASSERT_TRUE(crew_.stop());
  writer_.write(5);
  stream_.roll(0);
  stream_.drop("shard-0");
  hire();
  ASSERT_TRUE(until_phase(Phase::lost));
}

// Its worker slept for more than a day, and a shard that it had not begun is not what it was.
TEST_F(WorkerTest, AChildWhoseBeginningMayBeGoneEndsInLost) {
  hire();
  writer_.write(5);
  stream_.roll(0);
  ASSERT_TRUE(crew_.until([&] { return target_.now.marks["shard-0"].ended; }));
  ASSERT_TRUE(crew_.stop());
  target_.now.marks.erase("shard-1");  // as if it had been stopped before
  writer_.write(9);
  stream_.now_ms += 25 * 3'600'000;
  stream_.trim("shard-1", 4);
  hire();
  ASSERT_TRUE(until_phase(Phase::lost));
}

TEST_F(WorkerTest, AStreamThatIsMadeAnewEndsInLost) {
  auto& worker = hire();
  writer_.write(30);
  ASSERT_TRUE(until_in_step());
  stream_.recreate();
  ASSERT_TRUE(until_phase(Phase::lost));
  ASSERT_TRUE(until_told(worker, "Run quire backfill."));
}

TEST_F(WorkerTest, ReportsAFailureAndContinuesAfterIt) {
  auto& worker = hire();
  writer_.write(20);
  ASSERT_TRUE(until_in_step());
  for (auto* calls : {&stream_.calls, &target_.calls}) {
    calls->fault = [](const std::string&) { return Fault::before; };
    ASSERT_TRUE(until_told(worker, "It is down."));
    writer_.write(20);
    calls->fault = {};
    ASSERT_TRUE(until_in_step());
    ASSERT_TRUE(until_content(worker));
  }
  expect_exact(stream_, target_);
  EXPECT_GT(worker.counters().failures, 0u);
}

TEST_F(WorkerTest, StopsSoonAlsoWhileEverythingFails) {
  projection::Pace slow = hurried();
  slow.poll = slow.beat = slow.takeover_after = slow.retry_delay = std::chrono::hours(1);
  for (bool fails : {false, true}) {
    auto& member = crew_.hire(stream_, target_, slow);
    writer_.write(20);
    stream_.split(0);
    ASSERT_TRUE(until_in_step());
    if (fails) {
      for (auto* calls : {&stream_.calls, &target_.calls})
        calls->fault = [](const std::string&) { return Fault::before; };
    }
    auto before = stream_.calls.asked["put_lease"];
    ASSERT_TRUE(crew_.stop());
    EXPECT_TRUE(member.ended);
    if (fails) {
      EXPECT_LE(stream_.calls.asked["put_lease"], before + 1)
          << "what fails is not waited for once a lease";
    }
  }
}

// Thread-safe are status(), counters() and stop().
TEST_F(WorkerTest, IsWatchedAndStoppedFromAnotherThread) {
  auto& worker = hire();
  writer_.write(200);
  std::atomic<bool> seen = false;
  std::thread other([&] {
    while (worker.counters().changes < stream_.written.size() || worker.status().shards == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    seen = true;
    worker.stop();
  });
  EXPECT_TRUE(crew_.until([&] { return crew_.members.front().ended; }));
  other.join();
  EXPECT_TRUE(seen);
  expect_exact(stream_, target_);
}

TEST_F(WorkerTest, TwoShareTheShards) {
  for (std::size_t bucket = 0; bucket < 3; ++bucket) stream_.split(bucket * 3);
  auto &a = hire(), &b = hire();
  auto open = [&] {
    std::set<std::string> names;
    for (std::size_t bucket = 0; bucket < PlainStream::buckets; ++bucket)
      names.insert(stream_.shard_of(bucket));
    return names.size();
  };
  ASSERT_TRUE(crew_.until([&] {
    auto of_a = a.status().shards, of_b = b.status().shards;
    return of_a + of_b == open() && of_a <= of_b + 1 && of_b <= of_a + 1;
  }));
  writer_.write(100);
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
}

TEST_F(WorkerTest, AWorkerTakesOverFromAKilledWorker) {
  auto& first = crew_.hire(stream_, target_);
  writer_.write(20);
  ASSERT_TRUE(until_in_step());
  Crew::kill(first);
  auto leases = stream_.all_leases["p-e"];
  ASSERT_FALSE(leases.empty()) << "it could free nothing";
  writer_.write(20);
  auto begun = std::chrono::steady_clock::now();
  hire();
  ASSERT_TRUE(until_in_step());
  EXPECT_GE(std::chrono::steady_clock::now() - begun, hurried().takeover_after)
      << "it was waited for";
  expect_exact(stream_, target_);
}

// As files of one name on two machines.
TEST_F(WorkerTest, TargetsThatAreNamedAlikeDoNotShareShards) {
  PlainTarget other;
  other.now = following(stream_);
  other.now.epoch = "another";
  hire();
  auto& second = crew_.hire(stream_, other);
  writer_.write(40);
  ASSERT_TRUE(until_in_step());
  ASSERT_TRUE(crew_.until([&] { return in_step(stream_, other); }));
  EXPECT_GT(second.worker->status().shards, 0u);
  expect_exact(stream_, target_);
  expect_exact(stream_, other);
}

TEST_F(WorkerTest, ForgetsMarksThatTellNothingAnyMore) {
  for (int i = 0; i < 3; ++i) target_.now.marks[projection::segment_name(i, 3)] = {"", true, 0};
  hire();
  for (int i = 0; i < 5; ++i) {
    writer_.write(5);
    auto closed = stream_.shard_of(0);
    stream_.roll(0);
    ASSERT_TRUE(crew_.until([&] { return target_.now.marks[closed].ended; }));
    stream_.drop(closed);
  }
  auto last = stream_.shard_of(0);
  ASSERT_TRUE(crew_.until([&] { return target_.now.marks.size() == 2; }));
  EXPECT_TRUE(target_.now.marks.contains(last)) << "and its parent's";
  writer_.write(20);
  ASSERT_TRUE(until_in_step());
  EXPECT_EQ(target_.now.phase, Phase::following);
  expect_exact(stream_, target_);
}

// Other shards are in step, while one that has just begun waits for whoever has its lease.
TEST_F(WorkerTest, ClaimsNoMoreThanTheOldestShard) {
  stream_.split(0);
  auto& worker = hire();
  ASSERT_TRUE(crew_.until([&] { return target_.now.marks.contains(stream_.shard_of(7)); }));
  auto child = stream_.roll(0);
  stream_.all_leases["p-e"][child] = {"a dead worker", 1};
  auto closed_ms = stream_.now_ms;
  ASSERT_TRUE(crew_.until(
      [&] { return target_.now.marks[stream_.shard_of(7)].as_of_ms > closed_ms + 100; }));
  crew_.spend(Milliseconds(12));
  if (target_.now.marks[child].as_of_ms <= closed_ms) {  // or the dead one is taken over
    EXPECT_LE(worker.status().as_of_ms, closed_ms);
    EXPECT_LE(change::as_of_ms(target_.now), closed_ms) << "whoever knows the state alone";
  }
  ASSERT_TRUE(crew_.until([&] { return worker.status().as_of_ms > closed_ms; }));
  EXPECT_GT(target_.now.marks[child].as_of_ms, closed_ms);
}

}  // namespace
}  // namespace quire
