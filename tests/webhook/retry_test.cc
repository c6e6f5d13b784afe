#include "webhook/retry.h"

#include <gtest/gtest.h>

#include <vector>

namespace quire::webhook {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint64_t day_ms = 24 * 60 * 60 * 1000;
constexpr std::uint64_t now_ms = 1'732'104'060'000;  // Wed, 20 Nov 2024 12:01:00 GMT

TEST(Outcome, OnlySuccessIsADelivery) {
  for (unsigned status : {200, 201, 202, 204, 299})
    EXPECT_EQ(outcome_of(status), Outcome::delivered) << status;
  for (unsigned status : {100, 300, 301, 302, 307, 308, 400, 401, 403, 404, 500, 501, 999})
    EXPECT_EQ(outcome_of(status), Outcome::failed) << status;
  for (unsigned status : {429, 502, 503, 504})
    EXPECT_EQ(outcome_of(status), Outcome::busy) << status;
  EXPECT_EQ(outcome_of(410), Outcome::gone);
}

// When an event is tried whose tries all fail at once, in ms after the first one.
std::vector<std::uint64_t> tries(double chance) {
  std::vector<std::uint64_t> out{0};
  while (auto next =
             next_try(now_ms, now_ms + out.back(), static_cast<unsigned>(out.size()), chance))
    out.push_back(*next - now_ms);
  return out;
}

TEST(Retry, LastsThreeDaysEverMoreSlowly) {
  for (double chance : {0.0, 0.5, 1.0}) {
    auto times = tries(chance);
    EXPECT_EQ(times.back(), 3 * day_ms);
    EXPECT_GE(times.size(), 12u);
    EXPECT_LE(times.size(), 14u);
    EXPECT_GE(times[1], 5000u);
    EXPECT_LE(times[1], 6000u);
    for (std::size_t i = 2; i + 1 < times.size(); ++i) {
      EXPECT_GE(times[i] - times[i - 1], times[i - 1] - times[i - 2]) << i;
      EXPECT_LE(times[i] - times[i - 1], day_ms + day_ms / 5) << i;
    }
  }
}

TEST(Retry, ChanceAddsUpToAFifth) {
  EXPECT_EQ(wait_after(1, 0), seconds(5));
  EXPECT_EQ(wait_after(1, 1), seconds(6));
  EXPECT_EQ(wait_after(4, 0), seconds(135));
  EXPECT_EQ(wait_after(4'000'000'000, 0), std::chrono::hours(24));
}

TEST(Retry, TakesTheRestThatTheReceiverAsksFor) {
  EXPECT_EQ(next_try(now_ms, now_ms, 1, 0, seconds(100)), now_ms + 100'000);
  EXPECT_EQ(next_try(now_ms, now_ms, 1, 0, seconds(1)), now_ms + 5000) << "not earlier";
  EXPECT_EQ(next_try(now_ms, now_ms + 3 * day_ms - 1, 1, 0), now_ms + 3 * day_ms);
  EXPECT_FALSE(next_try(now_ms, now_ms + 3 * day_ms, 1, 0));
  EXPECT_EQ(next_try(now_ms, now_ms - 60'000, 1, 0), now_ms - 55'000) << "a clock that was set";
}

TEST(RetryAfter, IsSecondsOrADate) {
  EXPECT_EQ(retry_after("120", now_ms), seconds(120));
  EXPECT_EQ(retry_after("0", now_ms), seconds(0));
  EXPECT_EQ(retry_after("Wed, 20 Nov 2024 12:02:00 GMT", now_ms), seconds(60));
  EXPECT_EQ(retry_after("Wed, 20 Nov 2024 12:00:00 GMT", now_ms), seconds(0));
  EXPECT_EQ(retry_after("4000000000", now_ms), std::chrono::hours(24));
  EXPECT_EQ(retry_after("Wed, 20 Nov 2090 12:00:00 GMT", now_ms), std::chrono::hours(24));
  for (auto text : {"", "-1", "1.5", "soon", "99999999999999", "2024-11-20T12:02:00Z",
                    "Wed, 20 Nov 2024 12:02:00 GMT, and more"})
    EXPECT_EQ(retry_after(text, now_ms), milliseconds(0)) << text;
}

}  // namespace
}  // namespace quire::webhook
