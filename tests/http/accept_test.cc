// The weights of media types in Accept headers.
#include "http/accept.h"

#include <gtest/gtest.h>

namespace quire::http {
namespace {

constexpr std::string_view browser =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8";

TEST(Accept, TheMostSpecificRangeDecides) {
  EXPECT_EQ(weight(browser, "text/html"), 1000);
  EXPECT_EQ(weight(browser, "application/xml"), 900);
  EXPECT_EQ(weight(browser, "application/json"), 800);
  EXPECT_EQ(weight("*/*;q=1, text/*;q=0.5, text/html;q=0.125", "text/html"), 125);
  EXPECT_EQ(weight("text/html;q=0.1,text/*,*/*", "text/html"), 100) << "in any order";
  EXPECT_EQ(weight("text/*;q=0.5", "text/html"), 500);
  EXPECT_EQ(weight("text/*;q=0.5", "application/json"), 0);
}

TEST(Accept, WithoutAHeaderAllTypesAreEqual) {
  EXPECT_EQ(weight("", "text/html"), 1000);
  EXPECT_EQ(weight(" \t", "text/html"), 1000);
}

TEST(Accept, CasesAndSpacesDoNotMatter) {
  EXPECT_EQ(weight(" TEXT/Html ;level=1; Q=0.3 , x/y", "text/html"), 300);
}

TEST(Accept, AMalformedWeightIsNone) {
  for (std::string_view q : {"", "2", "1.5x", "1.9", "0.1234", "-1", ".5", "0,5", "1e0"})
    EXPECT_EQ(weight("text/html;q=" + std::string(q), "text/html"), 0) << q;
  EXPECT_EQ(weight("text/html;q=1.000", "text/html"), 1000);
  EXPECT_EQ(weight(",,;;,text/", "text/html"), 0);
}

TEST(PrefersHtml, IsWhatBrowsersDo) {
  EXPECT_TRUE(prefers_html(browser));
  EXPECT_TRUE(prefers_html("text/html"));
  for (std::string_view accept : {"", "*/*", "application/json", "text/html,application/json",
                                  "text/html;q=0.5,*/*", "application/problem+json,text/html"})
    EXPECT_FALSE(prefers_html(accept)) << accept;
}

}  // namespace
}  // namespace quire::http
