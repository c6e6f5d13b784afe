// Parsing targets, checking parameters, and making addresses of queries.
#include "http/parameters.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "http/support.h"

namespace quire::http {
namespace {

using Parts = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

// `target` must outlive it.
Request request(std::string_view target) {
  Request out;
  out.target = target;
  EXPECT_EQ(parse_target(out), std::nullopt) << target;
  return out;
}

Result<Query> query(std::string_view target) {
  return page_query(request(target), "42");
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
}

TEST(ParseTarget, AWholeUrlCountsAsItsPathAndQuery) {
  auto taken = request("http://shop.example:8080/products/42?rating=5");
  EXPECT_EQ(taken.segments, (Parts{"products", "42"}));
  EXPECT_EQ(taken.parameters, (Pairs{{"rating", "5"}}));
}

TEST(ParseTarget, AnInvalidTargetIsRefused) {
  for (std::string target : {"", "*", "p", "/%", "/%4", "/%zz", "/p?a=%", "/a b", "/p?a=<",
                             "/\xC3\xA9", "/p#there", "http://[::1/"}) {
    Request broken;
    broken.target = target;
    auto error = parse_target(broken);
    ASSERT_TRUE(error) << target;
    EXPECT_EQ(error->code, ErrorCode::invalid_parameter) << target;
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
  auto error = allow_only(request("/p?ratign=5"), {"rating", "limit"});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->parameter, "ratign");
  EXPECT_EQ(error->message, "There is no such parameter here. There are: rating limit.");
  EXPECT_EQ(allow_only(request("/p?a=1"), {})->message, "There is no such parameter here.");
  EXPECT_EQ(allow_only(request("/p?limit=5&rating=1"), {"rating", "limit"}), std::nullopt);
  EXPECT_TRUE(allow_only(request("/p?Rating=5"), {"rating"})) << "names have one spelling";
}

TEST(AllowOnly, OnlyFiltersMayBeRepeated) {
  EXPECT_EQ(
      allow_only(request("/p?rating=5&rating=4&language=de&language=en"), {"rating", "language"}),
      std::nullopt);
  auto error = allow_only(request("/p?limit=5&limit=5"), {"limit"});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->parameter, "limit");
}

TEST(Parameter, IsTheValueOrNothing) {
  auto given = request("/p?after=x&before=");
  EXPECT_EQ(parameter(given, "after"), "x");
  EXPECT_EQ(parameter(given, "before"), "");
  EXPECT_EQ(parameter(given, "limit"), std::nullopt);
}

TEST(PageQuery, WithoutParametersIsTheDefault) {
  auto made = query("/p").value();
  EXPECT_EQ(made.product, "42");
  EXPECT_EQ(made.languages, Parts{});
  EXPECT_EQ(made.ratings, std::vector<int>{});
  EXPECT_EQ(made.limit, 20u);
  EXPECT_EQ(made.sort, Sort::newest);
  EXPECT_EQ(made.after, std::nullopt);
  EXPECT_EQ(made.before, std::nullopt);
  EXPECT_FALSE(made.explain);
}

TEST(PageQuery, TakesEveryParameterOfAPage) {
  auto made = query(
                  "/p?language=en&rating=1&limit=7&sort=created_at&rating=5&language=de&after=x&"
                  "explain=true")
                  .value();
  EXPECT_EQ(made.languages, (Parts{"en", "de"}));
  EXPECT_EQ(made.ratings, (std::vector<int>{1, 5}));
  EXPECT_EQ(made.limit, 7u);
  EXPECT_EQ(made.sort, Sort::oldest);
  EXPECT_EQ(made.after, "x");
  EXPECT_TRUE(made.explain);
  EXPECT_EQ(query("/p?before=y&sort=-created_at&explain=false").value().before, "y");
  EXPECT_EQ(query("/p?sort=-created_at").value().sort, Sort::newest);
  EXPECT_EQ(query("/p?sort=-rating").value().sort, Sort::highest);
  EXPECT_EQ(query("/p?sort=rating").value().sort, Sort::lowest);
  EXPECT_EQ(query("/p?page=292").value().page, 292u);
  EXPECT_EQ(query("/p?page=9223372036854775807").value().page, 9223372036854775807u);
  EXPECT_FALSE(query("/p?explain=false").value().explain);
}

TEST(PageQuery, AWrongValueIsRefusedByItsParametersName) {
  const Pairs rows{{"/p?rating=0", "rating"},
                   {"/p?rating=6", "rating"},
                   {"/p?rating=5&rating=x", "rating"},
                   {"/p?limit=0", "limit"},
                   {"/p?limit=101", "limit"},
                   {"/p?limit=", "limit"},
                   {"/p?page=0", "page"},
                   {"/p?page=-1", "page"},
                   {"/p?page=1.5", "page"},
                   {"/p?page=", "page"},
                   {"/p?page=99999999999999999999", "page"},
                   {"/p?sort=created", "sort"},
                   {"/p?sort=", "sort"},
                   {"/p?explain=1", "explain"},
                   {"/p?explain", "explain"},
                   {"/p?limit=5&limit=5", "limit"},
                   {"/p?after=x&after=x", "after"},
                   {"/p?ratings=5", "ratings"},
                   {"/p?=5", ""},
                   {"/p?product=43", "product"}};
  for (const auto& [target, name] : rows) {
    auto refused = query(target);
    ASSERT_FALSE(refused.ok()) << target;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter) << target;
    EXPECT_EQ(refused.error().parameter, name) << target;
    EXPECT_FALSE(refused.error().message.empty()) << target;
  }
}

TEST(PageAddress, HasOnlyWhatDiffersFromTheDefaults) {
  EXPECT_EQ(page_address("/p", {.product = "42"}), "/p");
  EXPECT_EQ(page_address("/p", {.product = "42"}, "after=x"), "/p?after=x");
  EXPECT_EQ(numbered_address("/p", {.product = "42", .sort = Sort::lowest}, 1), "/p?sort=rating");
  EXPECT_EQ(numbered_address("/p", {.product = "42"}, 2), "/p?page=2");
  EXPECT_EQ(page_address("/p", {.product = "42", .limit = 7}), "/p?limit=7");
  EXPECT_EQ(
      page_address("/p",
                   {.product = "42",
                    .languages = {"de", "a&b=c"},
                    .ratings = {5, 1},
                    .limit = 100,
                    .sort = Sort::oldest},
                   "before=y"),
      "/p?language=de&language=a%26b%3Dc&rating=5&rating=1&limit=100&sort=created_at&before=y");
}

// Repeated values are in the address once.
template <class T>
std::vector<T> each_once(const std::vector<T>& values) {
  std::vector<T> out;
  for (const T& value : values) {
    if (std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
  }
  return out;
}

void expect_same(const Query& a, const Query& b) {
  EXPECT_EQ(a.languages, b.languages);
  EXPECT_EQ(a.ratings, b.ratings);
  EXPECT_EQ(a.limit, b.limit);
  EXPECT_EQ(a.sort, b.sort);
}

TEST(PageAddress, ReadsBackAsTheSameQuery) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    Query made{.product = "42"};
    for (auto n = random() % 4; n > 0; --n)
      made.languages.push_back(mutated("en", "&=%+#; ", random));
    for (auto n = random() % 4; n > 0; --n)
      made.ratings.push_back(1 + static_cast<int>(random() % 5));
    made.limit = 1 + random() % 100;
    made.sort = static_cast<Sort>(random() % 4);
    auto address = page_address("/p", made, "before=c-_9");
    auto read = query(address);
    ASSERT_TRUE(read.ok()) << address;
    made.languages = each_once(made.languages);
    made.ratings = each_once(made.ratings);
    expect_same(*read, made);
    EXPECT_EQ(read->before, "c-_9") << address;
  }
}

TEST(Targets, AreRefusedOrGiveAQueryWithinItsBounds) {
  std::mt19937 random(20261121);
  const Parts seeds = {"/",
                       "/v1/products/42/comments?language=en&rating=5&limit=20",
                       "/products/%C3%A9%2F?sort=created_at&after=AbC-_9",
                       "/v1/products/a/comments?rating=1&rating=2&before=x&explain=true",
                       "http://a.example:80/p?limit=100",
                       "/p?language=%00%ff&sort=-created_at"};
  int no_address = 0, refused = 0, taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    auto target = mutated(seeds[random() % seeds.size()], "%/?&=#+;:@[].5 0fF\"", random);
    Request sent;
    sent.target = target;
    if (parse_target(sent)) {
      ++no_address;
      continue;
    }
    auto made = page_query(sent, "42");
    if (!made) {
      ++refused;
      EXPECT_EQ(made.error().code, ErrorCode::invalid_parameter);
      EXPECT_FALSE(made.error().message.empty());
      EXPECT_TRUE(parameter(sent, made.error().parameter)) << target;
      continue;
    }
    ++taken;
    EXPECT_TRUE(made->limit >= 1 && made->limit <= 100) << target;
    for (int rating : made->ratings) EXPECT_TRUE(rating >= 1 && rating <= 5) << target;
    auto address = page_address("/p", *made);
    auto again = query(address);
    ASSERT_TRUE(again.ok()) << target;
    expect_same(*again, *made);
  }
  // Each of the three outcomes was seen often.
  EXPECT_GT(no_address, 1000);
  EXPECT_GT(refused, 1000);
  EXPECT_GT(taken, 1000);
}

}  // namespace
}  // namespace quire::http
