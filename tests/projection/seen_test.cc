// Marks the records that a recount has as seen, before AWS Lambda gives them again.
#include "projection/build.h"

#include <gtest/gtest.h>

#include "loop/loop.h"
#include "table_world.h"

namespace quire {
namespace {

class SeenTest : public testing::Test {
 protected:
  // What a recount that has all of the stream counted.
  State all_counted() {
    State state{Phase::following, "e", stream_.arn, {}};
    for (std::size_t bucket = 0; bucket < PlainStream::buckets; ++bucket) {
      auto shard = stream_.shard_of(bucket);
      const auto& records = stream_.records(shard);
      state.marks[shard] = {};
      if (!records.empty()) state.marks[shard].read_to = std::to_string(records.back().number);
    }
    state.marks["shard-0"].ended |= stream_.shard_of(0) != "shard-0";
    return state;
  }
  Status mark(const State& counted) {
    return wait(projection::mark_seen(stream_, counted, statistics_, Milliseconds(1)));
  }
  bool seen(const Change& change) {
    return wait(statistics_.has_seen(change.id, change.sequence)).value();
  }
  void expect_all_seen() {
    for (const auto& change : stream_.written) EXPECT_TRUE(seen(change)) << change.sequence;
  }

  Crew crew_;  // switches the log off
  PlainStream stream_;
  PlainStatistics statistics_;
  Writer writer_{stream_, 7};
};

TEST_F(SeenTest, MarksAllThatTheRecountHas) {
  writer_.write(60);
  ASSERT_TRUE(mark(all_counted()));
  expect_all_seen();
}

TEST_F(SeenTest, MarksNothingThatCameAfterTheRecount) {
  writer_.write(40);
  auto counted = all_counted();
  auto before = stream_.written.size();
  writer_.write(40);
  ASSERT_TRUE(mark(counted));
  for (std::size_t i = 0; i < stream_.written.size(); ++i) {
    if (i < before || !seen(stream_.written[i])) continue;
    ADD_FAILURE() << "it was not counted: " << i;
  }
}

TEST_F(SeenTest, MarksAllOfAnEndedShardAndNothingOfANewerShard) {
  writer_.write(20);
  stream_.roll(0);
  State counted{Phase::following, "e", stream_.arn, {{"shard-0", {{}, true}}}};
  auto before = stream_.written.size();
  writer_.write(20);
  ASSERT_TRUE(mark(counted));
  for (std::size_t i = 0; i < before; ++i) EXPECT_TRUE(seen(stream_.written[i]));
  EXPECT_FALSE(seen(stream_.written.back()));
}

TEST_F(SeenTest, AShardThatToldNothingIsNotRead) {
  writer_.write(10);
  ASSERT_TRUE(mark({Phase::following, "e", stream_.arn, {{"shard-0", {}}}}));
  EXPECT_EQ(stream_.calls.asked["iterator"], 0u);
  EXPECT_TRUE(statistics_.seen.empty());
}

TEST_F(SeenTest, FailuresAndExpiredIteratorsAreTriedAgain) {
  writer_.write(60);
  stream_.calls.fault = [n = 0](const std::string& name) mutable {
    if (name == "stream") return Fault::none;
    switch (++n % 4) {
      case 0:
        return Fault::before;
      case 1:
        return name == "read" ? Fault::expired : Fault::none;
      default:
        return Fault::none;
    }
  };
  statistics_.calls.fault = [n = 0](const std::string& name) mutable {
    return name == "put_seen" && ++n % 3 == 0 ? Fault::before : Fault::none;
  };
  ASSERT_TRUE(mark(all_counted()));
  statistics_.calls.fault = {};
  expect_all_seen();
}

TEST_F(SeenTest, EmptyAnswersAreNoEnd) {
  writer_.write(60);
  stream_.calls.fault = [n = 0](const std::string& name) mutable {
    return name == "read" && ++n % 5 > 0 ? Fault::empty : Fault::none;
  };
  ASSERT_TRUE(mark(all_counted()));
  expect_all_seen();
}

TEST_F(SeenTest, ItEndsWhereTheLastRecordsAreNoLongerKept) {
  writer_.write(10);
  auto counted = all_counted();
  counted.marks["shard-0"].read_to += "0";  // far beyond the last record there is
  ASSERT_TRUE(mark(counted));
  expect_all_seen();
}

TEST_F(SeenTest, RecordsThatAreLostMeanwhileAreTold) {
  writer_.write(60);
  auto counted = all_counted();
  stream_.calls.fault = [&, n = 0](const std::string& name) mutable {
    if (name == "read" && ++n == 3) stream_.trim("shard-0", stream_.records("shard-0").size());
    return Fault::none;
  };
  auto marked = mark(counted);
  ASSERT_FALSE(marked);
  EXPECT_NE(marked.error().message.find("lost records"), std::string::npos);
}

TEST_F(SeenTest, APermanentFailureIsReported) {
  writer_.write(10);
  statistics_.calls.fault = [](const std::string&) { return Fault::before; };
  EXPECT_FALSE(mark(all_counted()));
  stream_.calls.fault = [](const std::string&) { return Fault::before; };
  EXPECT_FALSE(mark(all_counted()));
}

}  // namespace
}  // namespace quire
