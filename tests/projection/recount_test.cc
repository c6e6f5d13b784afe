// Counts all comments of a table, and tells whether a target that follows the table has them.
#include "projection/recount.h"

#include <gtest/gtest.h>

#include "crew.h"
#include "loop/loop.h"
#include "plain_statistics.h"

namespace quire {
namespace {

class RecountTest : public testing::Test {
 protected:
  RecountTest() {
    stream_.now_ms = system_ms() - 3'600'000;  // behind the clock that the recount reads
    target_.now = following(stream_);
  }

  // Until a worker has taken all of it to the target.
  void follow() {
    crew_.hire(stream_, target_);
    ASSERT_TRUE(crew_.until([&] {
      bool all = true;
      for (std::size_t i = 0; i < PlainStream::buckets; ++i)
        all &= target_.now.marks.contains(stream_.shard_of(i));
      return all && in_step(stream_, target_);
    }));
    ASSERT_TRUE(crew_.stop());
  }
  void write() {
    for (int i = 0; i < 60; ++i) writer_.wander();
  }
  bool within() {
    projection::Recount recount(std::make_unique<PlainTarget>(), hurried(),
                                std::chrono::seconds(60));
    projection::Progress progress;
    EXPECT_TRUE(wait(recount.count(stream_, 2, progress)));
    EXPECT_EQ(progress.comments, stream_.comments.size());
    expect_counted(recount);
    return recount.within(target_.now);
  }

  void expect_counted(projection::Recount& recount) {
    for (const auto& [product, totals] : totals_of(stream_))
      EXPECT_EQ(wait(recount.totals(product)).value(), totals);
    EXPECT_TRUE(wait(recount.totals("unknown")).value().empty());
  }

  PlainStream stream_;
  PlainTarget target_;
  Crew crew_;
  Writer writer_{stream_, 4};
};

TEST_F(RecountTest, AStateHasTheChangesThatAWorkerApplied) {
  EXPECT_TRUE(within()) << "there is nothing";
  write();
  follow();
  EXPECT_TRUE(within());
  stream_.roll(0);
  write();
  follow();
  EXPECT_TRUE(within()) << "and more shards";
}

TEST_F(RecountTest, AStateLacksChangesThatAreNotApplied) {
  write();
  follow();
  write();
  EXPECT_FALSE(within());
  follow();
  EXPECT_TRUE(within());
}

// Then the recount has it from the scan, and no stream tells.
TEST_F(RecountTest, AStateLacksChangesOfAnEndedShard) {
  write();
  follow();
  write();
  stream_.roll(0);
  EXPECT_FALSE(within());
  follow();
  EXPECT_TRUE(within());
}

TEST_F(RecountTest, CatchesUpWithLaterWrites) {
  write();
  projection::Recount recount(std::make_unique<PlainTarget>(), hurried(), std::chrono::seconds(60));
  projection::Progress progress;
  ASSERT_TRUE(wait(recount.count(stream_, 3, progress)));
  stream_.roll(0);
  write();
  ASSERT_TRUE(wait(recount.catch_up(stream_)));
  expect_counted(recount);
  auto state = wait(recount.state()).value();
  EXPECT_FALSE(state.marks.empty());
  for (const auto& [shard, mark] : state.marks)
    EXPECT_FALSE(projection::is_segment(shard)) << shard;
}

TEST_F(RecountTest, AllProductsAreThoseOfTheRecountAndOfTheStatistics) {
  write();
  projection::Recount recount(std::make_unique<PlainTarget>(), hurried(), std::chrono::seconds(60));
  projection::Progress progress;
  ASSERT_TRUE(wait(recount.count(stream_, 1, progress)));
  PlainStatistics statistics;
  statistics.totals["zz"];
  std::vector<std::string> names;
  for (const auto& [product, totals] : totals_of(stream_)) names.push_back(product);
  names.push_back("zz");
  EXPECT_EQ(wait(projection::all_products(statistics, recount, "")).value(), names);
  EXPECT_TRUE(wait(projection::all_products(statistics, recount, "zz")).value().empty());
}

TEST_F(RecountTest, RecordsWithoutCommentsAreNotWaitedFor) {
  write();
  follow();
  for (int i = 0; i < 20; ++i) stream_.write_other(0);
  EXPECT_TRUE(within());
}

}  // namespace
}  // namespace quire
