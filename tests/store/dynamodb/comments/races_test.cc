// Servers that race for a product leave each other time.
#include "store/dynamodb/comments/races.h"

#include <gtest/gtest.h>

namespace quire::dynamodb {
namespace {

constexpr Races::Milliseconds none{0};

TEST(Races, AServerAloneWaitsForNobody) {
  Races races;
  for (int i = 0; i < 3; ++i) {
    Races::Run run(races, {"42"});
    EXPECT_EQ(run.courtesy(), none);
    run.start();
    run.win();
  }
}

TEST(Races, TheWinnerOfARaceLeavesTheOthersAMoment) {
  Races races;
  Races::Run lost(races, {"42"});
  lost.start();
  lost.lose();
  EXPECT_EQ(Races::Run(races, {"42"}).courtesy(), none) << "who has lost does not wait";
  lost.win();
  EXPECT_GT(Races::Run(races, {"42"}).courtesy(), none);
  EXPECT_GT(Races::Run(races, {"42", "other"}).courtesy(), none);
}

TEST(Races, ALoserWaitsLongerButNeverVeryLong) {
  Races races;
  Races::Run run(races, {"42"});
  run.start();
  auto before = none;
  for (int i = 0; i < 20; ++i) {
    run.lose();
    EXPECT_GE(run.setback(), before);
    before = run.setback();
  }
  EXPECT_LE(before, std::chrono::milliseconds(400));
}

}  // namespace
}  // namespace quire::dynamodb
