// The route table, and how paths match its patterns.
#include "http/application/routes.h"

#include <gtest/gtest.h>

namespace quire::http {
namespace {

using Parts = std::vector<std::string>;

TEST(Match, AFixedPatternMatchesOnlyItsPath) {
  EXPECT_EQ(match("/a/b", {"a", "b"}), Parts{});
  EXPECT_FALSE(match("/a/b", {"a", "c"}));
  EXPECT_FALSE(match("/a/b", {"A", "b"}));
  EXPECT_FALSE(match("/a/b", {"b", "a"}));
}

TEST(Match, BracesCaptureOneSegmentEachInOrder) {
  EXPECT_EQ(match("/p/{product}/c", {"p", "42", "c"}), Parts{"42"});
  EXPECT_EQ(match("/{a}/x/{b}", {"1", "x", "2"}), (Parts{"1", "2"}));
  EXPECT_EQ(match("/p/{product}", {"p", "a/b #?%"}), Parts{"a/b #?%"});
  EXPECT_EQ(match("/p/{product}", {"p", "{product}"}), Parts{"{product}"});
}

TEST(Match, AnEmptySegmentIsNeverCaptured) {
  EXPECT_FALSE(match("/p/{product}", {"p", ""}));
  EXPECT_FALSE(match("/p/{product}/c", {"p", "", "c"}));
}

TEST(Match, ShorterAndLongerPathsDoNotMatch) {
  EXPECT_FALSE(match("/a/{b}/c", {"a", "b"}));
  EXPECT_FALSE(match("/a/{b}/c", {"a"}));
  EXPECT_FALSE(match("/a/{b}/c", {}));
  EXPECT_FALSE(match("/a/{b}", {"a", "b", "c"}));
  EXPECT_FALSE(match("/a/{b}", {"a", "b", ""})) << "a slash at the end makes another path";
  EXPECT_FALSE(match("/ab", {"a"}));
  EXPECT_FALSE(match("/a", {"ab"}));
}

TEST(Match, TheRootHasNoSegments) {
  EXPECT_EQ(match("/", {}), Parts{});
  EXPECT_FALSE(match("/", {"a"}));
  EXPECT_FALSE(match("/", {"", ""}));
  EXPECT_FALSE(match("/a", {}));
}

// The segments of a path that matches the pattern.
Parts sample(std::string_view pattern) {
  Parts segments;
  for (std::size_t at = 1; at < pattern.size();) {
    auto end = std::min(pattern.find('/', at), pattern.size());
    auto part = pattern.substr(at, end - at);
    segments.emplace_back(part.starts_with('{') ? std::string_view("x") : part);
    at = end + 1;
  }
  return segments;
}

TEST(Routes, EachMatchesItsOwnPathsAndNoOthersPaths) {
  auto names = route_names();
  EXPECT_EQ(names.back(), "unknown");
  names.pop_back();
  ASSERT_GE(names.size(), 13u);
  for (const auto& name : names) {
    auto pattern = name.substr(name.find(' ') + 1);
    for (const auto& other : names) {
      auto others = other.substr(other.find(' ') + 1);
      EXPECT_EQ(match(pattern, sample(others)).has_value(), pattern == others)
          << name << ", " << other;
    }
  }
}

}  // namespace
}  // namespace quire::http
