// Times of RFC 3339: written, read, refused.
#include <gtest/gtest.h>

#include "quire/ulid.h"

namespace quire {
namespace {

TEST(TimeText, IsUtcWithMilliseconds) {
  EXPECT_EQ(time_text(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(time_text(1732104060123), "2024-11-20T12:01:00.123Z");
  EXPECT_EQ(time_text(951782400000), "2000-02-29T00:00:00.000Z");
  EXPECT_EQ(time_text(max_time_ms), "9999-12-31T23:59:59.999Z");
}

TEST(TimeText, IsReadBackAsTheSameTime) {
  // The step shares no factor with days or hours, so the test meets every kind of date.
  for (std::uint64_t ms = 0; ms <= max_time_ms; ms += 8'640'000'123'457 / 97) {
    EXPECT_EQ(parse_time(time_text(ms)), ms);
  }
}

struct Case {
  std::string_view text;
  std::uint64_t ms;
};

class ReadableTime : public testing::TestWithParam<Case> {};

TEST_P(ReadableTime, IsRead) {
  EXPECT_EQ(parse_time(GetParam().text), GetParam().ms);
}

INSTANTIATE_TEST_SUITE_P(
    , ReadableTime,
    testing::Values(
        // The examples of RFC 3339, section 5.8.
        Case{"1985-04-12T23:20:50.52Z", 482196050520},
        Case{"1996-12-19T16:39:57-08:00", 851042397000}, Case{"1990-12-31T23:59:60Z", 662688000000},
        Case{"1990-12-31T15:59:60-08:00", 662688000000},
        // Lower-case letters and a space, which section 5.6 allows.
        Case{"2024-11-20t12:01:00z", 1732104060000}, Case{"2024-11-20 12:01:00Z", 1732104060000},
        // Offsets.
        Case{"2024-11-20T12:01:00+00:00", 1732104060000},
        Case{"2024-11-20T12:01:00-00:00", 1732104060000},
        Case{"2024-11-20T13:31:00+01:30", 1732104060000},
        Case{"2024-11-20T23:59:59+23:59", 1732060859000}, Case{"1970-01-01T05:30:00+05:30", 0},
        Case{"1969-12-31T23:00:00-01:00", 0}, Case{"9999-12-31T23:59:59.999Z", max_time_ms},
        // Fractions are cut off, not rounded.
        Case{"2024-11-20T12:01:00.1Z", 1732104060100},
        Case{"2024-11-20T12:01:00.1239Z", 1732104060123},
        Case{"2024-11-20T12:01:00.999999999Z", 1732104060999},
        Case{"1990-12-31T23:59:60.5Z", 662688000500},
        // Leap days.
        Case{"2024-02-29T00:00:00Z", 1709164800000}, Case{"2000-02-29T00:00:00Z", 951782400000}));

class UnreadableTime : public testing::TestWithParam<std::string_view> {};

TEST_P(UnreadableTime, IsRefused) {
  EXPECT_EQ(parse_time(GetParam()), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(NoSuchDate, UnreadableTime,
                         testing::Values("2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
                                         "2100-02-29T00:00:00Z", "2024-04-31T00:00:00Z",
                                         "2024-00-10T00:00:00Z", "2024-13-10T00:00:00Z",
                                         "2024-01-00T00:00:00Z", "2024-01-32T00:00:00Z"));

INSTANTIATE_TEST_SUITE_P(NoSuchTimeOfDay, UnreadableTime,
                         testing::Values("2024-11-20T24:00:00Z", "2024-11-20T12:60:00Z",
                                         "2024-11-20T12:01:61Z", "2024-11-20T12:01:00+24:00",
                                         "2024-11-20T12:01:00+01:60"));

INSTANTIATE_TEST_SUITE_P(OutsideOfTheYears, UnreadableTime,
                         testing::Values("1969-12-31T23:59:59.999Z", "1970-01-01T00:59:59+01:00",
                                         "0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z",
                                         "9999-12-31T23:59:59-00:01", "10000-01-01T00:00:00Z"));

INSTANTIATE_TEST_SUITE_P(
    OtherForm, UnreadableTime,
    testing::Values("", "2024-11-20", "2024-11-20T12:01:00", "2024-11-20T12:01Z",
                    "2024-11-20_12:01:00Z", "2024-11-20T12:01:00.Z", "2024-11-20T12:01:00,1Z",
                    "2024-11-20T12:01:00.1234567890Z", "2024-11-20T12:01:00+0100",
                    "2024-11-20T12:01:00+01", "2024-11-20T12:01:00Z ", " 2024-11-20T12:01:00Z",
                    "2024-11-20T12:01:00ZZ", "2024-1-20T12:01:00Z", "+024-11-20T12:01:00Z",
                    "2024-11-20T-1:01:00Z", "20241120T120100Z", "1732104060123"));

TEST(ParseTime, RefusesEveryBeginningOfATime) {
  std::string_view whole = "2024-11-20T12:01:00.123+01:00";
  ASSERT_TRUE(parse_time(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(parse_time(whole.substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace quire
