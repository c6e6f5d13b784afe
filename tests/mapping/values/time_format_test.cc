// The time of a text: each look that files have, and those that are none.
#include "mapping/values/time_format.h"

#include <gtest/gtest.h>

#include "quire/ulid.h"

namespace quire {
namespace {

using Time = std::variant<std::uint64_t, NoTime>;

Time time_of(std::string_view text, std::vector<std::string_view> formats = {},
             const std::string& zone = "UTC") {
  std::vector<TimeFormat> parsed;
  for (auto format : formats) parsed.push_back(TimeFormat::parse(format).value());
  return time_in(text, parsed, Zone::named(zone).value());
}

std::string shown(const Time& time) {
  if (const auto* ms = std::get_if<std::uint64_t>(&time)) return time_text(*ms);
  constexpr std::string_view names[] = {"wrong", "impossible", "outside", "two meanings", "number"};
  return std::string(names[static_cast<std::size_t>(std::get<NoTime>(time))]);
}

struct TimeCase {
  std::string_view text, time;
  std::vector<std::string_view> formats = {};
  std::string zone = "UTC";
};

void PrintTo(const TimeCase& each, std::ostream* out) {
  *out << each.text;
}

class TimeOf : public testing::TestWithParam<TimeCase> {};
TEST_P(TimeOf, IsRead) {
  const auto& [text, time, formats, zone] = GetParam();
  EXPECT_EQ(shown(time_of(text, formats, zone)), time) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Iso8601, TimeOf,
    testing::Values(TimeCase{"2025-01-03T23:59:02Z", "2025-01-03T23:59:02.000Z"},
                    TimeCase{"2025-01-03 23:59:02", "2025-01-03T23:59:02.000Z"},
                    TimeCase{"2025-01-03 23:59:02 UTC", "2025-01-03T23:59:02.000Z"},
                    TimeCase{"2025-01-03 23:59:02 GMT", "2025-01-03T23:59:02.000Z"},
                    TimeCase{"2025-01-03T23:59", "2025-01-03T23:59:00.000Z"},
                    TimeCase{"2025-01-03", "2025-01-03T00:00:00.000Z"},
                    TimeCase{"2025-01-03T23:59:02.1239Z", "2025-01-03T23:59:02.123Z"},
                    TimeCase{"2025-01-03T23:59:02,5Z", "2025-01-03T23:59:02.500Z"},
                    TimeCase{"2025-01-03T23:59:02.123456789Z", "2025-01-03T23:59:02.123Z"},
                    TimeCase{"2025-01-03T23:59:02+01:00", "2025-01-03T22:59:02.000Z"},
                    TimeCase{"2025-01-03 23:59:02 +0100", "2025-01-03T22:59:02.000Z"},
                    TimeCase{"2025-01-03T23:59:02-0530", "2025-01-04T05:29:02.000Z"},
                    TimeCase{"2025-01-03T23:59:02+01", "2025-01-03T22:59:02.000Z"},
                    TimeCase{"2025-01-03t23:59:02z", "2025-01-03T23:59:02.000Z"},
                    TimeCase{"2025/01/03 9:05", "2025-01-03T09:05:00.000Z"},
                    TimeCase{"2024-02-29", "2024-02-29T00:00:00.000Z"},
                    TimeCase{"1970-01-01", "1970-01-01T00:00:00.000Z"}));

INSTANTIATE_TEST_SUITE_P(
    None, TimeOf,
    testing::Values(TimeCase{"2025-02-29", "impossible"}, TimeCase{"2025-13-01", "impossible"},
                    TimeCase{"2025-01-00", "impossible"},
                    TimeCase{"2025-01-03T24:00:00", "impossible"},
                    TimeCase{"2025-01-03T10:60", "impossible"}, TimeCase{"1969-12-31", "outside"},
                    TimeCase{"1970-01-01T00:00:00+01:00", "outside"}, TimeCase{"2025-01", "wrong"},
                    TimeCase{"2025-01-03T", "wrong"}, TimeCase{"2025-01-03T10", "wrong"},
                    TimeCase{"2025-01-03 10:00:00 CET", "wrong"},
                    TimeCase{"2025-01-03T10:00+99:00", "wrong"}, TimeCase{"yesterday", "wrong"},
                    TimeCase{"March 5, 2025", "wrong"}, TimeCase{"2025-01-03T10:00:00.Z", "wrong"},
                    TimeCase{"", "wrong"}, TimeCase{"1393545600", "number"},
                    TimeCase{"-1", "number"}, TimeCase{"1393545600.5", "number"},
                    TimeCase{"20250103", "number"}));

// Also where the numbers tell it: the next row may not.
INSTANTIATE_TEST_SUITE_P(
    TwoMeanings, TimeOf,
    testing::Values(TimeCase{"03/04/2025", "two meanings"}, TimeCase{"15/03/2025", "two meanings"},
                    TimeCase{"3/15/2025", "two meanings"}, TimeCase{"03.04.2025", "two meanings"},
                    TimeCase{"03-04-2025", "two meanings"}, TimeCase{"3/4/25", "two meanings"},
                    TimeCase{"03/04/2025 10:11:12", "two meanings"},
                    TimeCase{"03/04/2025T10:11", "two meanings"}, TimeCase{"03/04.2025", "wrong"},
                    TimeCase{"03/04/202", "wrong"}, TimeCase{"100/04/2025", "wrong"}));

// An example of times of ISO 8601 takes all of them.
INSTANTIATE_TEST_SUITE_P(
    Example, TimeOf,
    testing::Values(
        TimeCase{"2025-01-03 23:59", "2025-01-03T23:59:00.000Z", {"2021-08-25 13:00"}},
        TimeCase{"2025-01-03T23:59:02+01:00", "2025-01-03T22:59:02.000Z", {"2021-08-25 13:00"}},
        TimeCase{"03/04/2025", "wrong", {"2021-08-25 13:00"}}));

INSTANTIATE_TEST_SUITE_P(
    Epoch, TimeOf,
    testing::Values(TimeCase{"1393545600", "2014-02-28T00:00:00.000Z", {"epoch"}},
                    TimeCase{"1393545600000", "2014-02-28T00:00:00.000Z", {"epoch"}},
                    TimeCase{"1393545600.25", "2014-02-28T00:00:00.250Z", {"epoch"}},
                    TimeCase{"99999999999", "5138-11-16T09:46:39.000Z", {"epoch"}},
                    TimeCase{"100000000000", "1973-03-03T09:46:40.000Z", {"epoch"}},
                    TimeCase{"100000000000", "5138-11-16T09:46:40.000Z", {"epoch_s"}},
                    TimeCase{"1393545600", "1970-01-17T03:05:45.600Z", {"epoch_ms"}},
                    TimeCase{"0", "1970-01-01T00:00:00.000Z", {"epoch"}},
                    TimeCase{"-1", "outside", {"epoch"}},
                    TimeCase{"99999999999999999999", "outside", {"epoch"}},
                    TimeCase{"253402300800", "outside", {"epoch_s"}},
                    TimeCase{"2014-02-28", "wrong", {"epoch"}}, TimeCase{"1e9", "wrong", {"epoch"}},
                    TimeCase{"1.5.", "wrong", {"epoch"}}));

INSTANTIATE_TEST_SUITE_P(
    Patterns, TimeOf,
    testing::Values(
        TimeCase{"15/03/2025", "2025-03-15T00:00:00.000Z", {"DD/MM/YYYY"}},
        TimeCase{"4/3/2025", "2025-03-04T00:00:00.000Z", {"DD/MM/YYYY"}},
        TimeCase{"4/3/2025", "2025-04-03T00:00:00.000Z", {"MM/DD/YYYY"}},
        TimeCase{"31/02/2025", "impossible", {"DD/MM/YYYY"}},
        TimeCase{"15/03/2025", "impossible", {"MM/DD/YYYY"}},
        TimeCase{"15/03/25", "2025-03-15T00:00:00.000Z", {"DD/MM/YY"}},
        TimeCase{"15/03/25", "wrong", {"DD/MM/YYYY"}},
        TimeCase{"15.03.2025 10:11", "2025-03-15T10:11:00.000Z", {"DD.MM.YYYY HH:mm"}},
        TimeCase{"15.03.2025 10:11:12", "2025-03-15T10:11:12.000Z", {"DD.MM.YYYY HH:mm:ss"}},
        TimeCase{"15.03.2025 10:11:12", "wrong", {"DD.MM.YYYY HH:mm"}},
        TimeCase{"March 5, 2025", "2025-03-05T00:00:00.000Z", {"MMMM D, YYYY"}},
        TimeCase{"march  5, 2025", "2025-03-05T00:00:00.000Z", {"MMMM D, YYYY"}},
        TimeCase{"Sept. 5, 2025", "2025-09-05T00:00:00.000Z", {"MMM D, YYYY"}},
        TimeCase{"02 28, 2014", "2014-02-28T00:00:00.000Z", {"MM DD, YYYY"}},
        TimeCase{"5th of May 2025", "2025-05-05T00:00:00.000Z", {"Do [of] MMMM YYYY"}},
        TimeCase{"Sat, 03 Jan 2025 23:59:02 +0100",
                 "2025-01-03T22:59:02.000Z",
                 {"ddd, DD MMM YYYY HH:mm:ss Z"}},
        TimeCase{"3/15/2025 12:05:00 AM", "2025-03-15T00:05:00.000Z", {"MM/DD/YYYY h:mm:ss A"}},
        TimeCase{"3/15/2025 12:05 p.m.", "2025-03-15T12:05:00.000Z", {"MM/DD/YYYY h:mm a"}},
        TimeCase{"3/15/2025 13:05 PM", "impossible", {"MM/DD/YYYY h:mm A"}},
        TimeCase{"20250315T101112", "2025-03-15T10:11:12.000Z", {"YYYYMMDDTHHmmss"}},
        TimeCase{"2025-03-15", "2025-03-15T00:00:00.000Z", {"DD/MM/YYYY", "iso8601"}},
        TimeCase{"31/02/2025", "impossible", {"DD/MM/YYYY", "iso8601"}}));

// 2025-03-30 02:00 to 03:00 is left out in Berlin, 2025-10-26 02:00 to 03:00 is there twice.
INSTANTIATE_TEST_SUITE_P(
    Zones, TimeOf,
    testing::Values(
        TimeCase{"2025-01-15 12:00", "2025-01-15T11:00:00.000Z", {}, "Europe/Berlin"},
        TimeCase{"2025-07-15 12:00", "2025-07-15T10:00:00.000Z", {}, "Europe/Berlin"},
        TimeCase{"2025-07-15 12:00Z", "2025-07-15T12:00:00.000Z", {}, "Europe/Berlin"},
        TimeCase{"2025-07-15 12:00 UTC", "2025-07-15T12:00:00.000Z", {}, "Europe/Berlin"},
        TimeCase{"2025-07-15T12:00+03:00", "2025-07-15T09:00:00.000Z", {}, "Europe/Berlin"},
        TimeCase{"2025-03-30 01:59", "2025-03-30T00:59:00.000Z", {}, "Europe/Berlin"},
        TimeCase{"2025-03-30 02:30", "2025-03-30T01:30:00.000Z", {}, "Europe/Berlin"},
        TimeCase{"2025-03-30 03:00", "2025-03-30T01:00:00.000Z", {}, "Europe/Berlin"},
        TimeCase{"2025-10-26 02:30", "2025-10-26T00:30:00.000Z", {}, "Europe/Berlin"},
        TimeCase{"2025-10-26 03:00", "2025-10-26T02:00:00.000Z", {}, "Europe/Berlin"},
        TimeCase{"03/04/2025", "2025-04-03T04:00:00.000Z", {"DD/MM/YYYY"}, "America/New_York"},
        TimeCase{"1393545600", "2014-02-28T00:00:00.000Z", {"epoch"}, "Asia/Tokyo"},
        TimeCase{"1999-04-04 02:30", "1999-04-03T17:30:00.000Z", {}, "Asia/Tokyo"}));

TEST(TimeFormat, RefusesWhatIsNone) {
  for (auto text : {"", "date", "DD/MM", "YYYY", "dd/mm/yyyy", "DD/MM/YYYY [at", "YYYY-MM-DDX"}) {
    auto format = TimeFormat::parse(text);
    ASSERT_FALSE(format) << text;
    EXPECT_NE(format.error().message.find("DD/MM/YYYY HH:mm:ss"), std::string::npos);
  }
}

TEST(Zones, AreThoseOfIana) {
  EXPECT_TRUE(Zone::named("America/Argentina/Buenos_Aires"));
  for (auto name : {"Berlin", "Europe/Atlantis", "", "\xFF"}) EXPECT_FALSE(Zone::named(name));
}

TEST(NoDates, AreThoseOfDatabases) {
  for (auto text : {"", "0000-00-00", "0000-00-00 00:00:00", "0001-01-01T00:00:00Z"})
    EXPECT_TRUE(is_no_date(text)) << text;
  EXPECT_FALSE(is_no_date("2000-01-01"));
}

}  // namespace
}  // namespace quire
