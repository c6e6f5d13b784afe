// A mark's time promises that every change before it is applied.
#include "projection/follower.h"

#include <gtest/gtest.h>

#include "follower_fixture.h"

namespace quire {
namespace {

class FollowerTimes : public FollowerTest {};

// The place in the stream goes on, or records that are older than the stream keeps would be needed.
TEST_F(FollowerTimes, RecordsOfOtherItemsMoveTheMarkOnceABeat) {
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
TEST_F(FollowerTimes, NeverClaimsUnappliedChanges) {
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
TEST_F(FollowerTimes, NoTimeIsKnownWhileWhatAScanHasComesAgain) {
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

TEST_F(FollowerTimes, NorIsItKnownToAWorkerThatStartsAnewMeanwhile) {
  writer_.write(50);
  auto built_ms = stream_.now_ms += 60'000;
  target_.now.epoch = Ulid::make(built_ms, {}).text();
  target_.now.marks["shard-0"] = {"", false, built_ms};
  std::size_t applies = 0, looks = 0;
  target_.calls.fault = [&](const std::string& asked) {
    if (asked == "apply" && ++applies == 3) mine_ = false;
    if (applies > 3 && !in_step(stream_, target_)) {
      EXPECT_EQ(mark().as_of_ms, 0u);
      ++looks;
    }
    return Fault::none;
  };
  follow();
  ASSERT_TRUE(crew_.until([&] { return end_.has_value(); }));
  ASSERT_FALSE(in_step(stream_, target_));
  EXPECT_EQ(mark().as_of_ms, 0u);
  follow();
  ASSERT_TRUE(until_in_step());
  EXPECT_GT(looks, 1u);
  ASSERT_TRUE(crew_.until([&] { return mark().as_of_ms > 0; })) << "at the tip";
  expect_exact(stream_, target_);
}

TEST_F(FollowerTimes, TheBuildsTimeIsKnownAgainWhereTheShardEnds) {
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
TEST_F(FollowerTimes, AWholeMinuteTellsLittle) {
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
TEST_F(FollowerTimes, TheBuildsTimeIsKnownBeyondIt) {
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
TEST_F(FollowerTimes, AnEndIsMarkedAfterTheBeginningOfTheChildren) {
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
TEST_F(FollowerTimes, AnEndClaimsNoMoreThanItsLastRecord) {
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
