// The bounds of a query by time let in every comment from that time on.
#include "store/dynamodb/adopted/records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace quire::adopted {
namespace {

using dynamodb::Type;

Mapping mapping_of(const std::string& pattern, const std::string& format) {
  auto at = pattern.empty() ? "" : "pattern = \"" + pattern + "\", ";
  return parse_mapping(
             "[comment]\nproduct = { attribute = \"PK\" }\nrating = { attribute = \"r\" }\n"
             "created_at = { attribute = \"SK\", " +
                 at + "format = \"" + format + "\" }\n[[index]]\n",
             "m")
      .value();
}

// The time of a text, by the mapping's format.
std::uint64_t ms_of(const Mapping& mapping, std::string_view text) {
  auto time = time_in(text, mapping.created_at.formats, Zone());
  const auto* ms = std::get_if<std::uint64_t>(&time);
  EXPECT_TRUE(ms) << text;
  return ms ? *ms : 0;
}

struct Form {
  std::string pattern, format;
  Type type;
  std::string (*text)(std::uint64_t ms);  // of a time, as a program writes it
};

std::string iso(std::uint64_t ms) {
  return time_text(ms);
}
std::string without_ms(std::uint64_t ms) {
  return time_text(ms).substr(0, 19) + "Z";
}
std::string instant(std::uint64_t ms) {  // Java's
  return ms % 1000 == 0 ? without_ms(ms) : iso(ms);
}
std::string with_offset(std::uint64_t ms) {
  return time_text(ms).substr(0, 23) + "+00:00";
}
std::string without_zone(std::uint64_t ms) {
  return time_text(ms).substr(0, 23) + "000";
}
std::string tenths(std::uint64_t ms) {
  return time_text(ms).substr(0, 21) + "Z";
}
// Without seconds where they are 0.
std::string minutes(std::uint64_t ms) {
  return ms % 60'000 == 0 ? time_text(ms).substr(0, 16) : without_zone(ms);
}
std::string minutes_with_offset(std::uint64_t ms) {
  return ms % 60'000 == 0 ? time_text(ms).substr(0, 16) + "+00:00" : with_offset(ms);
}
std::string spaced(std::uint64_t ms) {  // the articles' own
  return time_text(ms).replace(10, 1, " ").substr(0, 16);
}
std::string spaced_seconds(std::uint64_t ms) {
  return time_text(ms).replace(10, 1, " ").substr(0, 19);
}
std::string minutes_with_zone(std::uint64_t ms) {
  return time_text(ms).substr(0, 16) + "Z";
}
std::string in_paris(std::uint64_t ms) {
  return time_text(ms + 3'600'000).substr(0, 19) + "+01:00";
}
std::string in_newfoundland(std::uint64_t ms) {
  return time_text(ms - 12'600'000).replace(10, 1, " ").substr(0, 16) + "-0330";
}
std::string date(std::uint64_t ms) {
  return time_text(ms).substr(0, 10);
}
std::string seconds(std::uint64_t ms) {
  return std::to_string(ms / 1000);
}
std::string milliseconds(std::uint64_t ms) {
  return std::to_string(ms);
}

bool less(Type type, const std::string& a, const std::string& b) {
  return type == Type::number ? std::stod(a) < std::stod(b) : a < b;
}

TEST(SortBounds, LetInEveryCommentFromATimeOn) {
  const Form forms[] = {{"", "iso8601", Type::string, iso},
                        {"", "iso8601", Type::string, without_ms},
                        {"", "iso8601", Type::string, instant},
                        {"", "iso8601", Type::string, minutes},
                        {"", "iso8601", Type::string, minutes_with_offset},
                        {"R#{created_at}#{rest}", "iso8601", Type::string, minutes},
                        {"R#{created_at}#{rest}", "iso8601", Type::string, date},
                        {"", "iso8601", Type::string, date},
                        {"R#{created_at}#{rest}", "iso8601", Type::string, iso},
                        {"", "2021-08-25 13:00", Type::string, spaced},
                        {"R#{created_at}|{rest}", "2021-08-25 13:00", Type::string, spaced},
                        {"", "2021-08-25 13:00:00", Type::string, spaced_seconds},
                        {"", "2021-08-25T13:00Z", Type::string, minutes_with_zone},
                        {"", "2021-08-25T13:00:00+01:00", Type::string, in_paris},
                        {"", "2021-08-25 13:00-0330", Type::string, in_newfoundland},
                        {"", "epoch_s", Type::number, seconds},
                        {"R#{created_at}", "epoch_s", Type::string, seconds},
                        {"", "epoch_ms", Type::number, milliseconds},
                        {"R#{created_at}#{rest}", "epoch_ms", Type::string, milliseconds}};
  std::mt19937_64 random(3);
  for (const auto& form : forms) {
    auto mapping = mapping_of(form.pattern, form.format);
    for (int round = 0; round < 500; ++round) {
      constexpr std::uint64_t day = 86'400'000;
      auto some = [&] {
        auto ms = 1'700'000'000'000 + random() % (3 * day);
        constexpr std::uint64_t units[] = {day, 60'000, 1000, 1};
        return ms - ms % units[random() % 4];
      };
      auto from = some();
      auto near = moment_of(mapping.time) * 2;
      auto text = form.text(random() % 2 ? some() : from + random() % near - near / 2);
      auto ms = ms_of(mapping, text);
      auto key =
          pattern_of(mapping.created_at).text_of(text).value() + (form.pattern.empty() ? "" : "x");
      for (auto order : {Order::newest_first, Order::oldest_first}) {
        auto bounds = bounds_of(mapping, form.type, order, from);
        bool in = !(bounds.from && less(form.type, key, bounds.from->text)) &&
                  !(bounds.to && less(form.type, bounds.to->text, key));
        bool wanted = order == Order::newest_first ? ms <= from : ms >= from;
        if (wanted) {
          EXPECT_TRUE(in) << key << " from " << time_text(from);
        }
        // No more than a moment is read in vain.
        auto moment = std::max<std::uint64_t>(1000, moment_of(mapping.time));
        bool far = order == Order::newest_first ? ms >= from + moment : ms + moment <= from;
        if (far) {
          EXPECT_FALSE(in) << key << " from " << time_text(from);
        }
      }
    }
  }
}

Comment comment_at(std::uint64_t ms) {
  return {.id = Ulid::make(ms, {})};
}

// Whatever the forms of the times, and whatever follows them.
TEST(SortsByTime, KeysOfAnEarlierSecondComeFirst) {
  constexpr std::string (*forms[])(std::uint64_t) = {
      iso, without_ms, instant, with_offset, without_zone, tenths, minutes, minutes_with_offset};
  std::mt19937_64 random(4);
  for (const char* pattern : {"", "{created_at}#{rest}", "R#{created_at}|{rest}"}) {
    auto mapping = mapping_of(pattern, "iso8601");
    std::vector<std::pair<std::string, std::uint64_t>> keys;  // with their seconds
    for (int i = 0; i < 600; ++i) {
      auto day = 1'699'920'000'000 + 86'400'000 * (random() % 2);
      auto ms = day + random() % 3 * 60'000 + random() % 3 * 1000 + random() % 3 * 100;
      auto form = forms[random() % std::size(forms)];
      auto text = random() % 9 == 0 && ms % 86'400'000 == 0 ? date(ms) : form(ms);
      auto key = pattern_of(mapping.created_at).text_of(text).value() + (*pattern ? "id" : "");
      auto time = ms_of(mapping, text);
      if (sorts_by_time(mapping, dynamodb::string(key), comment_at(time)))
        keys.emplace_back(std::move(key), time / 1000);
      else
        EXPECT_NE(key.find('|'), key.npos) << key;  // behind a time without seconds
    }
    EXPECT_GT(keys.size(), 400u);
    std::sort(keys.begin(), keys.end());
    auto earlier = [](const auto& a, const auto& b) { return a.second < b.second; };
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end(), earlier)) << pattern;
  }
}

TEST(SortsByTime, FormsThatSortOtherwiseAreFound) {
  auto sorts = [](const char* format, const std::string& text) {
    auto mapping = mapping_of("", format);
    return sorts_by_time(mapping, dynamodb::string(text), comment_at(ms_of(mapping, text)));
  };
  for (const char* text : {"2024-11-20T12:01:00+02:00", "2024-11-20 12:01:00Z", "2024-11-20T12:01Z",
                           "2024-11-20T23:59:59-00:30", "2024/11/20", "2024/11/20T12:01:00Z",
                           "2024-1-2", "2024-11-2T12:01:00Z", "2024-11-20T9:01:00Z"})
    EXPECT_FALSE(sorts("iso8601", text)) << text;
  EXPECT_TRUE(sorts("epoch_s", "1732104060"));
  EXPECT_TRUE(sorts("epoch_ms", "1732104060123"));
  for (const char* text : {"999999999", "01732104060"}) EXPECT_FALSE(sorts("epoch_s", text));
  EXPECT_FALSE(sorts("epoch_ms", "999999999999"));
  EXPECT_TRUE(sorts_by_time(mapping_of("", "epoch_s"), {Type::number, "999999999"},
                            comment_at(999'999'999'000)));
}

// Forms of time that sort among themselves are an index; others are found by their moments.
TEST(SortsByTime, ATimeOfTheMappingsFormSorts) {
  auto sorts = [](const char* format, const std::string& text) {
    auto mapping = mapping_of("", format);
    return sorts_by_time(mapping, dynamodb::string(text), comment_at(ms_of(mapping, text)));
  };
  EXPECT_TRUE(sorts("2021-08-25 13:00", "2021-08-25 13:01"));
  EXPECT_TRUE(sorts("2021-08-25 13:00", "2021-08-25 13:01:30"));
  EXPECT_TRUE(sorts("2021-08-25 13:00", "2021-08-25"));
  EXPECT_TRUE(sorts("2021-08-25T13:00Z", "2021-08-25T13:01:30Z"));
  EXPECT_TRUE(sorts("2021-08-25 13:00+02:00", "2021-08-25 00:30+02:00"));
  EXPECT_FALSE(sorts("2021-08-25 13:00", "2021-08-25T13:01"));
  EXPECT_FALSE(sorts("2021-08-25 13:00", "2021-8-25 13:01"));
  EXPECT_FALSE(sorts("2021-08-25 13:00+02:00", "2021-08-25 13:01Z"));
  EXPECT_FALSE(sorts("2021-08-25 13:00+02:00", "2021-08-25 13:01+01:00"));
}

TEST(TimeForm, IsThatOfDatesWithAllTheirDigits) {
  for (const char* text : {"2024-11-20", "2024-11-20 12:01", "2024-11-20T12:01:00.5Z"})
    EXPECT_TRUE(time_form_of(text)) << text;
  for (const char* text : {"2024-1-2", "2024/11/20", "2024-11-2 12:01", "2024/11/20 12:01",
                           "2024-11-20  12:01", "2024-11-20T9:01", "2024-02-30", "yesterday", ""})
    EXPECT_FALSE(time_form_of(text)) << text;
}

TEST(SortBounds, WithoutATimeTheyAreThoseOfThePattern) {
  auto plain = bounds_of(mapping_of("", "iso8601"), Type::string, Order::newest_first, {});
  EXPECT_FALSE(plain.from || plain.to);
  auto keyed =
      bounds_of(mapping_of("R#{created_at}", "iso8601"), Type::string, Order::newest_first, {});
  EXPECT_EQ(keyed.from->text, "R#");
  EXPECT_GT(keyed.to->text, "R#9999");
}

}  // namespace
}  // namespace quire::adopted
