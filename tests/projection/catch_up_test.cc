// Followed until it has what was written before.
#include "projection/recount.h"

#include <gtest/gtest.h>

#include "crew.h"

namespace quire {
namespace {

class CatchingUp : public testing::Test {
 protected:
  CatchingUp() { target_.now = following(stream_); }

  Crew::Member& start(Milliseconds patience = Milliseconds(60'000)) {
    Worker::Options options;
    options.projection = "p";
    options.owner = "only";
    options.pace = pace_;
    options.clock = stream_.clock();
    return crew_.run([](CatchingUp& self, Worker::Options options,
                        Milliseconds patience) -> Awaitable<void> {
      self.status_ =
          co_await projection::catch_up(self.stream_, self.target_, std::move(options), patience);
    }(*this, std::move(options), patience));
  }
  [[nodiscard]] bool until_ended() {
    return crew_.until([&] { return status_.has_value(); });
  }

  PlainStream stream_;
  PlainTarget target_;
  Crew crew_;
  projection::Pace pace_ = hurried();
  Writer writer_{stream_, 3};
  std::optional<Status> status_;
};

TEST_F(CatchingUp, EndsWhenAllIsThere) {
  for (int i = 0; i < 300; ++i) writer_.wander();
  start();
  ASSERT_TRUE(until_ended());
  EXPECT_TRUE(status_->ok());
  expect_exact(stream_, target_);
  for (const auto& [name, leases] : stream_.all_leases) EXPECT_TRUE(leases.empty()) << name;
}

TEST_F(CatchingUp, EndsThoughWritesGoOn) {
  writer_.write(100);
  start();
  auto before = stream_.written.size();
  while (!status_) {
    writer_.write();
    crew_.turns(50);
    crew_.spend(Milliseconds(1));
    ASSERT_LT(stream_.written.size(), 100'000u);
  }
  EXPECT_TRUE(status_->ok());
  EXPECT_GE(target_.applied.size(), before);
}

TEST_F(CatchingUp, DoesNotWaitForTheNextBeatOfItsWorker) {
  pace_.beat = std::chrono::minutes(10);
  start();
  ASSERT_TRUE(until_ended());
  EXPECT_TRUE(status_->ok());
  EXPECT_LE(stream_.calls.asked["stream"], 2u) << "a table's stream may seldom be described";
}

// One half has nothing new; the other is a long line of shards, each of which has to end first.
TEST_F(CatchingUp, WaitsForShardsThatAreNotBegun) {
  stream_.split(0);
  for (int i = 0; i < 12; ++i) {
    writer_.write(10);
    stream_.roll(0);
  }
  writer_.write(10);
  start();
  ASSERT_TRUE(until_ended());
  EXPECT_TRUE(status_->ok());
  expect_exact(stream_, target_);
}

TEST_F(CatchingUp, TellsAtOnceThatThereIsNothingToFollow) {
  for (auto phase : {Phase::empty, Phase::lost}) {
    target_.now.phase = phase;
    status_.reset();
    start();
    ASSERT_TRUE(until_ended());
    ASSERT_FALSE(status_->ok());
    EXPECT_NE(status_->error().message.find("quire backfill"), std::string::npos);
    EXPECT_EQ(stream_.calls.all(), 0u);
  }
}

TEST_F(CatchingUp, TellsThatItIsLost) {
  writer_.write(20);
  target_.now.marks["shard-0"] = {stream_.written[3].sequence};
  stream_.trim("shard-0", stream_.records("shard-0").size() - 2);
  start();
  ASSERT_TRUE(until_ended());
  ASSERT_FALSE(status_->ok());
  EXPECT_NE(status_->error().message.find("quire backfill"), std::string::npos);
}

TEST_F(CatchingUp, GivesUpAfterItsPatience) {
  writer_.write(20);
  stream_.calls.fault = [](const std::string&) { return Fault::before; };
  start(Milliseconds(50));
  ASSERT_TRUE(until_ended());
  ASSERT_FALSE(status_->ok());
  EXPECT_EQ(status_->error().code, ErrorCode::unavailable);
  EXPECT_NE(status_->error().message.find(down().message), std::string::npos);
}

}  // namespace
}  // namespace quire
