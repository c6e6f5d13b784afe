// What a recount has, and whether what follows the table has it, too.
#include "projection/recount.h"

#include <gtest/gtest.h>

#include "crew.h"
#include "loop/wait.h"

namespace quire {
namespace {

class RecountTest : public testing::Test {
 protected:
  RecountTest() {
    stream_.now_ms = system_ms();
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
    auto recount = std::move(Recount::make(Milliseconds(1)).value());
    projection::Progress progress;
    EXPECT_TRUE(wait(recount->count(stream_, 2, progress)));
    return recount->within(target_.now);
  }

  PlainStream stream_;
  PlainTarget target_;
  Crew crew_;
  Writer writer_{stream_, 4};
};

TEST_F(RecountTest, WhatAWorkerAppliedIsWithinWhatItKeeps) {
  EXPECT_TRUE(within()) << "there is nothing";
  write();
  follow();
  EXPECT_TRUE(within());
  stream_.roll(0);
  write();
  follow();
  EXPECT_TRUE(within()) << "and more shards";
}

TEST_F(RecountTest, WhatIsNotAppliedIsNot) {
  write();
  follow();
  write();
  EXPECT_FALSE(within());
  follow();
  EXPECT_TRUE(within());
}

// Then the recount has it from the scan, and no stream tells.
TEST_F(RecountTest, NorIsWhatIsInAShardThatEnded) {
  write();
  follow();
  write();
  stream_.roll(0);
  EXPECT_FALSE(within());
  follow();
  EXPECT_TRUE(within());
}

TEST_F(RecountTest, WhatIsNoCommentsIsNotWaitedFor) {
  write();
  follow();
  for (int i = 0; i < 20; ++i) stream_.write_other(0);
  EXPECT_TRUE(within());
}

}  // namespace
}  // namespace quire
