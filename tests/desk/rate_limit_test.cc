// Token buckets: their size, how they are refilled, how many names are remembered.
#include "desk/limits.h"

#include <gtest/gtest.h>

namespace quire::desk {
namespace {

constexpr std::uint64_t now = 1'700'000'000'000;

// The number of tokens that can be taken at this moment.
int taken(RateLimit& limit, const std::string& name, std::uint64_t at, int tries = 1000) {
  int count = 0;
  while (count < tries && !limit.take(name, at)) ++count;
  return count;
}

TEST(RateLimit, AllowsTheRequestsOfAMinuteAtOnceAndThenNoMore) {
  RateLimit limit(5);
  EXPECT_EQ(taken(limit, "a", now), 5);
  EXPECT_EQ(taken(limit, "a", now), 0);
}

TEST(RateLimit, SaysHowManyWholeSecondsUntilTheNext) {
  RateLimit limit(6);  // one in 10 s
  EXPECT_EQ(taken(limit, "a", now), 6);
  EXPECT_EQ(limit.take("a", now), 10);
  EXPECT_EQ(limit.take("a", now + 500), 10);
  EXPECT_EQ(limit.take("a", now + 3'000), 7);
  EXPECT_EQ(limit.take("a", now + 9'999), 1);
  EXPECT_EQ(limit.take("a", now + 10'000), std::nullopt);
  EXPECT_EQ(limit.take("a", now + 10'000), 10);
}

TEST(RateLimit, MayBeSetAlsoForNamesThatAreKnown) {
  RateLimit limit(60);
  EXPECT_EQ(taken(limit, "a", now, 10), 10);
  limit.set(6);
  EXPECT_EQ(taken(limit, "a", now), 6) << "more than a bucket holds is gone";
  EXPECT_EQ(limit.take("a", now), 10);
  limit.set(600);
  EXPECT_EQ(taken(limit, "a", now + 1'000), 10);
}

TEST(RateLimit, IsRefilledEvenlyUpToTheRequestsOfAMinute) {
  RateLimit limit(60);
  EXPECT_EQ(taken(limit, "a", now), 60);
  EXPECT_EQ(taken(limit, "a", now + 7'000), 7);
  EXPECT_EQ(taken(limit, "a", now + 3'600'000), 60);
}

TEST(RateLimit, NamesDoNotShareABucket) {
  RateLimit limit(2);
  EXPECT_EQ(taken(limit, "a", now), 2);
  EXPECT_EQ(taken(limit, "b", now), 2);
  EXPECT_EQ(taken(limit, "", now), 2);
  EXPECT_EQ(taken(limit, "a", now), 0);
}

TEST(RateLimit, ARefusalCostsNothing) {
  RateLimit limit(1);
  EXPECT_EQ(taken(limit, "a", now), 1);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(limit.take("a", now), 60);
  EXPECT_EQ(limit.take("a", now + 60'000), std::nullopt);
}

TEST(RateLimit, ALimitBelowOneAMinuteStillAllowsRequests) {
  RateLimit limit(0.5);
  EXPECT_EQ(limit.take("a", now), 60) << "it begins half full";
  EXPECT_EQ(taken(limit, "a", now + 60'000), 1);
  EXPECT_EQ(limit.take("a", now + 60'000), 120);
  EXPECT_EQ(taken(limit, "a", now + 180'000), 1);
  EXPECT_EQ(taken(limit, "a", now + 3'600'000), 1) << "and never holds more than one";
}

TEST(RateLimit, ARequestAfterTheGivenWaitIsAllowed) {
  for (int per_minute = 1; per_minute <= 2000; ++per_minute) {
    RateLimit limit(per_minute);
    ASSERT_EQ(taken(limit, "a", now, 5000), per_minute);
    auto wait = limit.take("a", now);
    ASSERT_TRUE(wait) << per_minute;
    EXPECT_EQ(limit.take("a", now + *wait * 1000), std::nullopt) << per_minute << " a minute";
  }
}

TEST(RateLimit, AClockThatRunsBackAddsNoTokens) {
  RateLimit limit(3);
  EXPECT_EQ(taken(limit, "a", now), 3);
  EXPECT_EQ(taken(limit, "a", now - 3'600'000), 0);
  EXPECT_EQ(taken(limit, "a", 0), 0);
}

TEST(RateLimit, RemembersOnlyTheMostRecentNames) {
  RateLimit limit(1);
  EXPECT_FALSE(limit.take("first", now));
  EXPECT_FALSE(limit.take("second", now));
  for (std::size_t i = 0; i + 2 < RateLimit::max_names; ++i) {
    ASSERT_FALSE(limit.take("name " + std::to_string(i), now));
  }
  // All names are still remembered. A request makes its name the most recent.
  EXPECT_TRUE(limit.take("first", now));
  EXPECT_FALSE(limit.take("one more", now));
  EXPECT_TRUE(limit.take("first", now)) << "used a moment ago";
  EXPECT_TRUE(limit.take("one more", now));
  EXPECT_FALSE(limit.take("second", now)) << "the oldest made room, and begins anew";
}

}  // namespace
}  // namespace quire::desk
