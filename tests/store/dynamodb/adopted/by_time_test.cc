// The bounds of a query by time let in every comment from that time on.
#include "store/dynamodb/adopted/by_time.h"

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
                 at + "format = \"" + format + "\" }\n",
             "m")
      .value();
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
                        {"", "iso8601", Type::string, date},
                        {"R#{created_at}#{rest}", "iso8601", Type::string, iso},
                        {"", "epoch_s", Type::number, seconds},
                        {"R#{created_at}", "epoch_s", Type::string, seconds},
                        {"", "epoch_ms", Type::number, milliseconds},
                        {"R#{created_at}#{rest}", "epoch_ms", Type::string, milliseconds}};
  std::mt19937_64 random(3);
  for (const auto& form : forms) {
    auto mapping = mapping_of(form.pattern, form.format);
    for (int round = 0; round < 500; ++round) {
      constexpr std::uint64_t day = 86'400'000;
      auto from = 1'700'000'000'000 + random() % (3 * day);
      if (round % 5 == 0) from -= from % day;
      auto text = form.text(1'700'000'000'000 + random() % (3 * day));
      auto ms = *time_in(mapping.format, text);
      auto key =
          mapping.created_at.pattern.text_of(text).value() + (form.pattern.empty() ? "" : "x");
      for (auto order : {Order::newest_first, Order::oldest_first}) {
        auto bounds = bounds_of(mapping, form.type, order, from);
        bool in = !(bounds.from && less(form.type, key, bounds.from->text)) &&
                  !(bounds.to && less(form.type, bounds.to->text, key));
        bool wanted = order == Order::newest_first ? ms <= from : ms >= from;
        if (wanted) {
          EXPECT_TRUE(in) << key << " from " << time_text(from);
        }
        // No more than a day is read in vain.
        bool far = order == Order::newest_first ? ms > from + day : ms + day < from;
        if (far) {
          EXPECT_FALSE(in) << key << " from " << time_text(from);
        }
      }
    }
  }
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
