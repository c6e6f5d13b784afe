// Servers that race for a product leave each other time.
#include "store/dynamodb/comments/commits.h"

#include <gtest/gtest.h>

namespace quire::dynamodb {
namespace {

constexpr Races::Milliseconds none{0};

TEST(Races, AServerAloneWaitsForNobody) {
  Races races;
  for (int i = 0; i < 3; ++i) {
    Races::Run run(races, {"42"});
    EXPECT_EQ(run.yield_delay(), none);
    run.start();
    run.win();
  }
}

TEST(Races, TheWinnerOfARaceLeavesTheOthersAMoment) {
  Races races;
  Races::Run lost(races, {"42"});
  lost.start();
  lost.lose();
  EXPECT_EQ(Races::Run(races, {"42"}).yield_delay(), none) << "who has lost does not wait";
  lost.win();
  EXPECT_GT(Races::Run(races, {"42"}).yield_delay(), none);
  EXPECT_GT(Races::Run(races, {"42", "other"}).yield_delay(), none);
  auto later = Races::Clock::now() + Races::remembered;
  EXPECT_EQ(Races::Run(races, {"42"}).yield_delay(later), none) << "the race is long over";
}

TEST(Races, ALoserWaitsLongerButNeverVeryLong) {
  Races races;
  Races::Run run(races, {"42"});
  run.start();
  run.lose();
  auto first = run.retry_delay();
  EXPECT_GT(first, none);
  for (int i = 0; i < 20; ++i) {
    run.lose();
    EXPECT_EQ(run.retry_delay(), 2 * first);
  }
  EXPECT_LE(run.retry_delay(), std::chrono::milliseconds(400));
}

TEST(Races, AThrottledTransactionHalvesTheNextOnesUntilTheySucceed) {
  Races races;
  Races::Run run(races, {"42"});
  EXPECT_EQ(run.room(), max_actions);
  run.shrink(60);
  EXPECT_EQ(run.room(), 30u);
  EXPECT_EQ(Races::Run(races, {"42", "other"}).room(), 30u) << "the smallest of all products";
  run.lose();
  EXPECT_EQ(run.room(), 30u);
  run.win();
  EXPECT_EQ(run.room(), 31u);
  run.shrink(100);
  EXPECT_EQ(run.room(), 15u);
  for (std::size_t i = 0; i < 2 * max_actions; ++i) run.win();
  EXPECT_EQ(run.room(), max_actions);
  for (int i = 0; i < 10; ++i) run.shrink(1);
  EXPECT_EQ(run.room(), 1u);
}

}  // namespace
}  // namespace quire::dynamodb
