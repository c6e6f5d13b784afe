// The system's clock at the ends of what a time may be.
#include "base/clock.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>
#include <limits>
#include <optional>
#include <string>

#include "quire/ulid.h"

namespace {

thread_local std::optional<timespec> told;  // what the clock says

}  // namespace

// Takes the place of the C library's.
extern "C" int clock_gettime(clockid_t clock, timespec* out) noexcept {
  if (clock != CLOCK_REALTIME || !told)
    return static_cast<int>(syscall(SYS_clock_gettime, clock, out));
  *out = *told;
  return 0;
}

namespace quire {
namespace {

std::string time_at(std::int64_t seconds, long nanoseconds = 0) {
  told = timespec{seconds, nanoseconds};
  auto ms = system_ms();
  told.reset();
  auto id = Ulid::make(ms, {});
  EXPECT_EQ(id.ms(), ms) << "no bit is lost";
  EXPECT_EQ(parse_time(time_text(ms)), ms);
  return time_text(ms);
}

TEST(SystemClock, HasMilliseconds) {
  EXPECT_EQ(time_at(1'732'104'060, 123'999'999), "2024-11-20T12:01:00.123Z");
  EXPECT_GT(system_ms(), 1'732'104'060'000u);
}

TEST(SystemClock, Before1970IsAtTheBeginning) {
  EXPECT_EQ(time_at(0, 1'000'000), "1970-01-01T00:00:00.001Z");
  for (auto seconds : {std::int64_t{-1}, std::int64_t{-86'400}, std::int64_t{-9'223'372'037},
                       std::numeric_limits<std::int64_t>::min()})
    EXPECT_EQ(time_at(seconds, 999'999'999), "1970-01-01T00:00:00.000Z") << seconds;
}

// 64 bits of nanoseconds end in 2262.
TEST(SystemClock, GoesOnAfter2262UpToTheYear9999) {
  EXPECT_EQ(time_at(9'223'372'036, 999'000'000), "2262-04-11T23:47:16.999Z");
  EXPECT_EQ(time_at(9'223'372'037), "2262-04-11T23:47:17.000Z");
  EXPECT_EQ(time_at(18'446'744'073), "2554-07-21T23:34:33.000Z");
  EXPECT_EQ(time_at(253'402'300'799, 999'999'999), "9999-12-31T23:59:59.999Z");
  for (auto seconds : {std::int64_t{253'402'300'800}, std::int64_t{281'474'976'711},
                       std::numeric_limits<std::int64_t>::max()})
    EXPECT_EQ(time_at(seconds, 999'999'999), "9999-12-31T23:59:59.999Z") << seconds;
}

}  // namespace
}  // namespace quire
