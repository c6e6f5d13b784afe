// Times of ISO 8601 in the forms that programs write; those of RFC 3339 are among them.
#include "base/iso_time.h"

#include <gtest/gtest.h>

#include <string>

#include "quire/ulid.h"

namespace quire {
namespace {

TEST(IsoTime, HasManyFormsOfOneTime) {
  for (const char* text : {"2024-11-20T12:01:00Z",       "2024-11-20 12:01:00Z",
                           "2024-11-20T12:01:00",        "2024-11-20 12:01:00",
                           "2024-11-20T12:01Z",          "2024-11-20 12:01",
                           "2024-11-20T13:01:00+0100",   "2024-11-20T13:01:00+01",
                           "2024-11-20 13:01:00 +0100",  "2024-11-20 12:01:00 UTC",
                           "2024-11-20 12:01:00 GMT",    "2024-11-20T12:01:00.000+00:00",
                           "2024-11-20T12:01:00,000Z",   "2024-11-20T06:31:00-05:30",
                           "2024-11-20T12:01:00UTC",     "2024-11-20t12:01:00z",
                           "2024-11-20T12:01:00.000000", "2024-11-20T04:01-08",
                           "2024-11-20T12:01:00  UTC",   "2024/11/20 12:01"})
    EXPECT_EQ(parse_iso_time(text), 1'732'104'060'000u) << text;
  EXPECT_EQ(parse_iso_time("2024-11-20"), 1'732'060'800'000u);
  EXPECT_EQ(parse_iso_time("2024-11-20T12:01:00,1239"), 1'732'104'060'123u);
  EXPECT_EQ(parse_iso_time("1970-01-01"), 0u);
  EXPECT_EQ(parse_iso_time("2024-1-2"), parse_iso_time("2024-01-02"));
}

TEST(IsoTime, OfRfc3339IsTheSameTime) {
  for (std::uint64_t ms = 0; ms <= max_time_ms; ms += 8'640'000'123'457 / 97)
    EXPECT_EQ(parse_iso_time(time_text(ms)), ms);
}

TEST(IsoTime, OfAnotherFormIsNone) {
  for (const char* text : {"",
                           "2024",
                           "2024-11",
                           "2024-11-31",
                           "20 Nov 2024",
                           "20/11/2024",
                           "11/20/2024",
                           "2024-11-20T",
                           "2024-11-20T12",
                           "2024-11-20T12:0",
                           "2024-11-20T12:01:",
                           "2024-11-20T12:01:00 CET",
                           "2024-11-20T12:01:00+1",
                           "2024-11-20T12:01:00+01:000",
                           "2024-11-20T12:01:00+24",
                           "2024-11-20T12:01:00Z UTC",
                           "2024-11-20T25:01",
                           "2024-11-20Z",
                           "1969-12-31",
                           "1732104060",
                           "0000-00-00",
                           "0001-01-01T00:00:00Z",
                           "2024-11/20",
                           "2024-11-20T12:01:00.1234567890",
                           "2024-11-20_12:01:00",
                           "UTC",
                           "Z"})
    EXPECT_FALSE(parse_iso_time(text)) << text;
}

}  // namespace
}  // namespace quire
