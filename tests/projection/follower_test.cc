// One shard's records to the target: each once, in order, whatever fails.
#include "projection/follower.h"

#include <gtest/gtest.h>

#include "crew.h"

namespace quire {
namespace {

using projection::Follower;
using projection::WorkerCounters;
using End = Follower::End;

class FollowerTest : public testing::Test {
 protected:
  FollowerTest() { target_.now = following(stream_); }

  // Follows a shard as the target has it now.
  Crew::Member& follow(std::string shard = "shard-0") {
    mine_ = true;
    end_.reset();
    return crew_.run(task(target_.now, std::move(shard)));
  }
  Awaitable<void> task(State state, std::string shard) {
    end_ = co_await follower_.follow(std::move(state), std::move(shard), [this] { return mine_; });
  }
  [[nodiscard]] bool until_in_step() {
    return crew_.until([&] { return in_step(stream_, target_); });
  }
  // The first calls with this name go so.
  static auto first(std::string name, std::vector<Fault> faults) {
    return [=, next = std::size_t{0}](const std::string& asked) mutable {
      return asked == name && next < faults.size() ? faults[next++] : Fault::none;
    };
  }
  Mark mark() { return target_.now.marks.at("shard-0"); }

  PlainStream stream_;
  PlainTarget target_;
  WorkerCounters counters_;
  Follower follower_{stream_, target_, hurried(), stream_.clock(), counters_};
  Crew crew_;
  Writer writer_{stream_, 1};
  bool mine_ = true;
  std::optional<End> end_;
};

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
  slow.falter = std::chrono::hours(1);
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

// The place in the stream goes on, or records that are older than the stream keeps would be needed.
TEST_F(FollowerTest, RecordsOfOtherItemsMoveTheMarkOnceABeat) {
  writer_.write(3);
  follow();
  ASSERT_TRUE(until_in_step());
  auto steps = counters_.steps.load();
  auto begun_ms = stream_.now_ms;
  for (int i = 0; i < 500; ++i) {
    stream_.write_other(0);
    crew_.turns(20);
  }
  auto last = std::to_string(stream_.records("shard-0").back().number);
  ASSERT_TRUE(crew_.until([&] { return mark().read_to == last; }));
  auto beats = (stream_.now_ms - begun_ms) / 10;
  EXPECT_GT(counters_.steps, steps);
  EXPECT_LE(counters_.steps - steps, beats + 1);
}

// An answer in which nothing is yet, is no proof that nothing was written.
TEST_F(FollowerTest, NeverClaimsUnappliedChanges) {
  stream_.late = true;
  follow();
  for (int i = 0; i < 300; ++i) {
    if (i % 3 == 0) writer_.write();
    crew_.spend(Milliseconds(i % 4));
    std::set<std::string> places;
    for (const auto& change : target_.applied) places.insert(change.sequence);
    for (std::size_t j = 0; j < stream_.written.size(); ++j) {
      if (stream_.times[j] < mark().as_of_ms) {
        ASSERT_TRUE(places.contains(stream_.written[j].sequence)) << i;
      }
    }
  }
  auto now_ms = stream_.now_ms;
  ASSERT_TRUE(crew_.until([&] { return mark().as_of_ms > now_ms; })) << "but it goes on";
  ASSERT_TRUE(until_in_step());
  expect_exact(stream_, target_);
}

// A scan has seen all records, whose changes go through states that are long past.
TEST_F(FollowerTest, NoTimeIsKnownWhileWhatAScanHasComesAgain) {
  writer_.write(50);
  auto built_ms = stream_.now_ms += 60'000;
  target_.now.marks["shard-0"] = {"", false, built_ms};
  std::size_t looks = 0, applies = 0;
  target_.calls.fault = [&](const std::string& asked) {
    if (asked == "apply" && ++applies > 1 && !in_step(stream_, target_)) {
      EXPECT_EQ(mark().as_of_ms, 0u) << "also before the first change";
      ++looks;
    }
    return Fault::none;
  };
  follow();
  ASSERT_TRUE(until_in_step());
  EXPECT_GT(looks, 3u);
  target_.calls.fault = {};
  ASSERT_TRUE(crew_.until([&] { return mark().as_of_ms >= built_ms; })) << "at the tip";
  writer_.write(20);
  ASSERT_TRUE(until_in_step());
  EXPECT_GE(mark().as_of_ms, built_ms) << "and beyond it";
  expect_exact(stream_, target_);
}

TEST_F(FollowerTest, TheBuildsTimeIsKnownAgainWhereTheShardEnds) {
  writer_.write(20);
  stream_.roll(0);
  auto built_ms = stream_.now_ms += 60'000;
  target_.now.marks["shard-0"] = {"", false, built_ms};
  follow();
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  EXPECT_EQ(mark().as_of_ms, built_ms);
  EXPECT_EQ(target_.now.marks.at("shard-1").as_of_ms, built_ms);
  expect_exact(stream_, target_);
}

// A record of a new table may be newer than the table's index, though its minute began before it.
TEST_F(FollowerTest, AWholeMinuteTellsLittle) {
  constexpr std::uint64_t minute = 60'000;
  stream_.now_ms += minute - stream_.now_ms % minute - 1;
  stream_.write(Ulid::make(stream_.now_ms, {}), PlainStream::Where{"42", cell("de", 1)});
  ASSERT_EQ(stream_.times.front() % minute, 0u);
  auto built_ms = stream_.now_ms += 30'000;
  target_.now.marks["shard-0"] = {"", false, built_ms};
  target_.calls.fault = [&](const std::string&) {
    EXPECT_GE(mark().as_of_ms, built_ms);
    return Fault::none;
  };
  follow();
  ASSERT_TRUE(until_in_step());
}

// What was written while the table was scanned is newer than the build.
TEST_F(FollowerTest, TheBuildsTimeIsKnownBeyondIt) {
  target_.now.marks["shard-0"] = {"", false, stream_.now_ms};
  stream_.now_ms += 5'000;
  writer_.write(50);
  auto begun_ms = mark().as_of_ms;
  target_.calls.fault = [&](const std::string&) {
    EXPECT_GE(mark().as_of_ms, begun_ms);
    return Fault::none;
  };
  follow();
  ASSERT_TRUE(until_in_step());
  EXPECT_GT(mark().as_of_ms, begun_ms);
}

// Nobody reads the children yet, and the stream fails for a while.
TEST_F(FollowerTest, AnEndIsMarkedAfterTheBeginningOfTheChildren) {
  writer_.write(5);
  stream_.split(0);
  auto closed_ms = stream_.now_ms;
  stream_.calls.fault = first("stream", {Fault::before, Fault::none, Fault::before});
  // The changes; the first child, twice; the second child.
  target_.calls.fault = first("apply", {Fault::none, Fault::after, Fault::none, Fault::before});
  follow();
  for (bool ended = false; !ended;) {
    crew_.spend(Milliseconds(1));
    auto own = target_.now.marks.find("shard-0");
    ended = own != target_.now.marks.end() && own->second.ended;
    if (!ended) continue;
    for (std::string child : {stream_.shard_of(0), stream_.shard_of(7)}) {
      EXPECT_EQ(target_.now.marks.at(child), (Mark{"", false, own->second.as_of_ms}));
    }
  }
  EXPECT_LE(change::as_of_ms(target_.now), closed_ms);
}

// Its child may have records already that were written before the end was seen.
TEST_F(FollowerTest, AnEndClaimsNoMoreThanItsLastRecord) {
  writer_.write(3);
  follow();
  auto now_ms = stream_.now_ms;
  ASSERT_TRUE(crew_.until([&] { return mark().as_of_ms > now_ms; }));
  auto closed_ms = stream_.now_ms;
  stream_.roll(0);
  stream_.now_ms += 1000;
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  EXPECT_TRUE(mark().ended);
  EXPECT_LE(mark().as_of_ms, closed_ms);
}

}  // namespace
}  // namespace quire
