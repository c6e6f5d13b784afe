// Times as the clocks of a zone show them.
#include "base/zone.h"

#include <gtest/gtest.h>

#include <random>

#include "base/iso_time.h"
#include "quire/ulid.h"

namespace quire {
namespace {

std::string text_in(const char* zone, const char* time) {
  return Zone::named(zone).value().time_text(parse_iso_time(time).value());
}

TEST(Zone, WritesATimeWithItsOffset) {
  EXPECT_EQ(Zone().time_text(1'732'104'060'123), "2024-11-20T12:01:00.123Z");
  EXPECT_EQ(text_in("UTC", "2024-11-20T12:01:00Z"), "2024-11-20T12:01:00.000Z");
  EXPECT_EQ(text_in("America/Los_Angeles", "2024-11-20T03:01:00Z"),
            "2024-11-19T19:01:00.000-08:00");
  EXPECT_EQ(text_in("Asia/Kolkata", "2024-12-31T18:30:00Z"), "2025-01-01T00:00:00.000+05:30");
  EXPECT_EQ(text_in("America/St_Johns", "2024-01-01T03:29:59Z"), "2023-12-31T23:59:59.000-03:30");
  EXPECT_EQ(text_in("Europe/London", "2024-01-01T00:00:00Z"), "2024-01-01T00:00:00.000Z");
}

TEST(Zone, KnowsWhenClocksAreChanged) {
  EXPECT_EQ(text_in("Europe/Berlin", "2024-10-27T00:59:59Z"), "2024-10-27T02:59:59.000+02:00");
  EXPECT_EQ(text_in("Europe/Berlin", "2024-10-27T01:00:00Z"), "2024-10-27T02:00:00.000+01:00");
  EXPECT_EQ(text_in("Pacific/Apia", "2011-12-30T09:59:59Z"), "2011-12-29T23:59:59.000-10:00");
  EXPECT_EQ(text_in("Pacific/Apia", "2011-12-30T10:00:00Z"), "2011-12-31T00:00:00.000+14:00");
}

TEST(Zone, WritesTheFirstTimeAndOneWhoseOffsetHasSeconds) {
  EXPECT_EQ(text_in("America/Los_Angeles", "1970-01-01T00:00:00Z"),
            "1969-12-31T16:00:00.000-08:00");
  EXPECT_EQ(text_in("Africa/Monrovia", "1970-01-01T00:00:00Z"), "1969-12-31T23:16:00.000-00:44");
}

TEST(Zone, TellsItsOffset) {
  EXPECT_EQ(Zone().offset_text(0), "UTC");
  EXPECT_EQ(Zone::named("America/Los_Angeles")->offset_text(1'732'104'060'123), "UTC-08:00");
  EXPECT_EQ(Zone::named("Asia/Kathmandu")->offset_text(1'732'104'060'123), "UTC+05:45");
}

// What it writes is the same time.
TEST(Zone, WritesNoOtherTime) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::uint64_t> times(86'400'000, max_time_ms - 86'400'000);
  for (auto name : {"America/Los_Angeles", "Europe/Dublin", "Asia/Tehran", "Australia/Lord_Howe",
                    "Pacific/Kiritimati", "Africa/Casablanca", "Antarctica/Troll"}) {
    auto zone = Zone::named(name).value();
    for (int i = 0; i < 2'000; ++i) {
      auto ms = times(random);
      ASSERT_EQ(parse_time(zone.time_text(ms)), ms) << name;
    }
  }
}

TEST(Zone, ProposesAName) {
  EXPECT_EQ(no_zone("berlin"), "There is no zone \"berlin\". Did you mean Europe/Berlin?");
  EXPECT_EQ(no_zone("america/los angeles"),
            "There is no zone \"america/los angeles\". Did you mean America/Los_Angeles?");
  EXPECT_EQ(no_zone("Europe/Atlantis"),
            "There is no zone \"Europe/Atlantis\". Write a name such as Europe/Berlin, "
            "America/New_York or UTC.");
  for (auto name : {"", "/", "Etc/Unknown", "+02:00", "CEST+1"})
    EXPECT_FALSE(Zone::named(name)) << name;
}

}  // namespace
}  // namespace quire
