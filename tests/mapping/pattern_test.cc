// Values within texts.
#include "mapping/pattern.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

TEST(Pattern, TakesTheValueOut) {
  auto value = [](std::string_view pattern, std::string_view text) {
    auto found = Pattern::parse(pattern, "v").value().value_in(text);
    return std::string(found.value_or("(none)"));
  };
  EXPECT_EQ(value("{v}", "all#of it"), "all#of it");
  EXPECT_EQ(value("A#{v}", "A#42"), "42");
  EXPECT_EQ(value("A#{v}", "B#42"), "(none)");
  EXPECT_EQ(value("A#{v}", "A#"), "(none)");
  EXPECT_EQ(value("{rest}#{v}#{rest}", "a#b#c#d"), "b");
  EXPECT_EQ(value("{v}#{rest}", "a#b#c"), "a");
  EXPECT_EQ(value("{rest}#{v}.z", "a#b.c.z"), "b.c");
  EXPECT_EQ(value("{v}#end", "#end"), "(none)");
  EXPECT_EQ(value("A{v}A", "A"), "(none)");
}

TEST(Pattern, MakesTheTextBack) {
  EXPECT_EQ(Pattern::parse("A#{v}#{rest}", "v").value().text_of("42"), "A#42#");
  EXPECT_EQ(Pattern::parse("{rest}#{v}", "v").value().text_of("42"), std::nullopt);
  EXPECT_EQ(Pattern().text_of("42"), "42");
  EXPECT_EQ(Pattern().value_in("42"), "42");
}

}  // namespace
}  // namespace quire
