// Parsing targets, and checking parameters.
#include "http/parameters.h"

#include <gtest/gtest.h>

namespace quire::http {
namespace {

using Parts = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

// `target` must outlive it.
Request request(std::string_view target) {
  Request out;
  out.target = target;
  EXPECT_TRUE(parse_target(out)) << target;
  return out;
}

TEST(ParseTarget, SegmentsAreDecodedAfterTheyAreSplit) {
  EXPECT_EQ(request("/").segments, Parts{});
  EXPECT_EQ(request("/products/42").segments, (Parts{"products", "42"}));
  EXPECT_EQ(request("/products/a%2Fb%23%3f%20").segments, (Parts{"products", "a/b#? "}));
  EXPECT_EQ(request("/p/%C3%A9").segments, (Parts{"p", "\xC3\xA9"}));
  EXPECT_EQ(request("/p/a+b").segments, (Parts{"p", "a+b"}));
  EXPECT_EQ(request("/p/").segments, (Parts{"p", ""}));
  EXPECT_EQ(request("/p/../q/./r").segments, (Parts{"p", "..", "q", ".", "r"}));
}

TEST(ParseTarget, ParametersAreDecodedAndKeepTheirOrder) {
  EXPECT_EQ(request("/p").parameters, Pairs{});
  EXPECT_EQ(request("/p?rating=5&language=en&rating=4").parameters,
            (Pairs{{"rating", "5"}, {"language", "en"}, {"rating", "4"}}));
  EXPECT_EQ(request("/p?a=b%26c%3Dd&e=f=g").parameters, (Pairs{{"a", "b&c=d"}, {"e", "f=g"}}));
  EXPECT_EQ(request("/p?a&b=").parameters, (Pairs{{"a", ""}, {"b", ""}}));
  EXPECT_EQ(request("/p?").parameters, Pairs{});
  EXPECT_EQ(request("http://a?").parameters, Pairs{});
}

// Browsers leave some of them as they are.
TEST(ParseTarget, APathIsTakenHoweverItIsWritten) {
  for (std::string raw : {"[", "]", "a[b]c", "|", "{}", "^", "`", "\\", "\"", "<>", "\xC3\xA9"}) {
    EXPECT_EQ(request("/p/" + raw + "/q?a=b").segments, (Parts{"p", raw, "q"})) << raw;
    EXPECT_EQ(request("http://[::1]/" + raw).segments, (Parts{raw})) << raw;
  }
}

TEST(ParseTarget, AQueryIsTakenHoweverItIsWritten) {
  for (std::string raw : {"|", "{}", "^", "`", "\\", "\"", "<>", "[]", "\xC3\xA9", "\xFF", "%",
                          "%4", "%zz", "100%!", "%u2019", "%%"}) {
    EXPECT_EQ(request("/p?a=" + raw + "&b" + raw + "x=1").parameters,
              (Pairs{{"a", raw}, {"b" + raw + "x", "1"}}));
    EXPECT_EQ(request("http://a?a=" + raw).parameters, (Pairs{{"a", raw}}));
  }
  EXPECT_EQ(request("/p?a=%25%7c%C3%A9+%").parameters, (Pairs{{"a", "%|\xC3\xA9 %"}}));
}

TEST(ParseTarget, AFragmentBehindAQueryIsLeftOut) {
  EXPECT_EQ(request("/p?a=b#there?c=d").parameters, (Pairs{{"a", "b"}}));
  for (std::string target : {"/p?#b=c&d=e", "http://a?#b=c", "http://a/p?#b=c&d=e"})
    EXPECT_EQ(request(target).parameters, Pairs{}) << target;
}

TEST(ParseTarget, AWholeUrlCountsAsItsPathAndQuery) {
  auto taken = request("http://shop.example:8080/products/42?rating=5");
  EXPECT_EQ(taken.segments, (Parts{"products", "42"}));
  EXPECT_EQ(taken.parameters, (Pairs{{"rating", "5"}}));
}

TEST(ParseTarget, AnInvalidTargetIsRefused) {
  for (std::string target : {"", "*", "p", "/%", "/%4", "/%zz", "/p#there", "/p#there?a=b",
                             "http://[::1/", "http://a/p#there", "http://a#b?c"}) {
    Request broken;
    broken.target = target;
    auto refused = parse_target(broken);
    ASSERT_FALSE(refused) << target;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter) << target;
  }
}

TEST(Number, IsAWholeNumberWithinItsRange) {
  EXPECT_EQ(number("limit", "1", 1, 100).value(), 1u);
  EXPECT_EQ(number("limit", "100", 1, 100).value(), 100u);
  EXPECT_EQ(number("page", "18446744073709551615", 1, -1).value(), 18446744073709551615u);
}

TEST(Number, AnythingElseIsRefusedWithTheRange) {
  for (std::string_view text : {"", "0", "101", "-1", "+1", " 1", "1 ", "1.0", "1e1", "0x1", "one",
                                "18446744073709551616", "99999999999999999999999"}) {
    auto refused = number("limit", text, 1, 100);
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().parameter, "limit");
    EXPECT_EQ(refused.error().message, "limit is a whole number from 1 to 100.");
  }
}

TEST(AllowOnly, NamesTheParametersThereAre) {
  auto refused = allow_only(request("/p?ratign=5"), {"rating", "limit"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().parameter, "ratign");
  EXPECT_EQ(refused.error().message, "There is no such parameter here. There are: rating limit.");
  EXPECT_EQ(allow_only(request("/p?a=1"), {}).error().message, "There is no such parameter here.");
  EXPECT_TRUE(allow_only(request("/p?limit=5&rating=1"), {"rating", "limit"}));
  EXPECT_FALSE(allow_only(request("/p?Rating=5"), {"rating"})) << "names have one spelling";
}

TEST(AllowOnly, OnlyRepeatableParametersMayBeRepeated) {
  auto is_product = [](std::string_view name) { return name == "product"; };
  EXPECT_TRUE(allow_only(request("/p?product=5&limit=1&product=4"), {"limit"}, is_product));
  auto refused = allow_only(request("/p?limit=5&limit=5"), {"limit"}, is_product);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().parameter, "limit");
}

TEST(Parameter, IsTheValueOrNothing) {
  auto given = request("/p?after=x&before=");
  EXPECT_EQ(parameter(given, "after"), "x");
  EXPECT_EQ(parameter(given, "before"), "");
  EXPECT_EQ(parameter(given, "limit"), std::nullopt);
}

TEST(WithoutSecrets, HasNoTicketAndNoToken) {
  EXPECT_EQ(without_secrets("/products/42"), "/products/42");
  EXPECT_EQ(without_secrets("/products/42?page=2&ui=de"), "/products/42?page=2&ui=de");
  EXPECT_EQ(without_secrets("/p?ticket=abc"), "/p?ticket=*");
  EXPECT_EQ(without_secrets("/p?page=2&token=a.b.c&x=1#f"), "/p?page=2&token=*&x=1#f");
  EXPECT_EQ(without_secrets("/p?%74icket=abc&tok%65n=d"), "/p?%74icket=*&tok%65n=*");
  EXPECT_EQ(without_secrets("/p?to%6Ben=a&to%6ben=b"), "/p?to%6Ben=*&to%6ben=*");
  EXPECT_EQ(without_secrets("/p?filter[token]=a"), "/p?filter[token]=*");
  EXPECT_EQ(without_secrets("/p?filter%5bticket%5D=a"), "/p?filter%5bticket%5D=*");
  EXPECT_EQ(without_secrets("/p?tok%en=a&filter[tokens]=b"), "/p?tok%en=a&filter[tokens]=b");
  EXPECT_EQ(without_secrets("/p?tickets=abc&my.token=d"), "/p?tickets=abc&my.token=d");
  EXPECT_EQ(without_secrets("/p?ticket"), "/p?ticket=*");
  EXPECT_EQ(without_secrets("/p?ticket=a?b=c&&"), "/p?ticket=*&&");
  EXPECT_EQ(without_secrets("?"), "?");
}

}  // namespace
}  // namespace quire::http
