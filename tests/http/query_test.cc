// Queries: taken from parameters, and written into addresses.
#include "http/query.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "http/support.h"
#include "model/facets.h"
#include "model/schema.h"
#include "model/validate.h"

namespace quire::http {
namespace {

using Parts = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

// `target` must outlive it.
Request request_of(std::string_view target) {
  Request out;
  out.target = target;
  EXPECT_TRUE(parse_target(out)) << target;
  return out;
}

Result<Query> query(std::string_view target) {
  return page_query(request_of(target), "42");
}

TEST(PageQuery, NamesNoMoreFacetsThanAStoreHas) {
  std::string target = "/p?";
  for (int i = 0; i < 34; ++i) target += "f" + std::to_string(i) + ".min=1&";
  EXPECT_TRUE(query(target));
  EXPECT_EQ(query(target + "more.max=1").error().parameter, "more.max");
  EXPECT_EQ(query(target + "more=1").error().parameter, "more");
  EXPECT_TRUE(query(target + "f1=1"));
}

TEST(PageQuery, NoFacetCanHaveTheNameOfAParameter) {
  for (auto name : page_parameters) EXPECT_FALSE(is_declarable(name)) << name;
  for (auto name : {"product", "by"}) EXPECT_FALSE(is_declarable(name)) << name;
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
  EXPECT_FALSE(made.counts);
  EXPECT_EQ(made.skip, std::nullopt);
  EXPECT_TRUE(made.facets.empty());
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
  EXPECT_EQ(query("/p?skip=40").value().skip, 40u);
  EXPECT_EQ(query("/p?skip=0").value().skip, 0u);
  EXPECT_TRUE(query("/p?facets=true").value().counts);
}

TEST(PageQuery, SortsByAnyFacet) {
  auto made = query("/p?sort=-helpful").value();
  EXPECT_EQ(made.sort, Sort::highest);
  EXPECT_EQ(made.sort_facet, "helpful");
  EXPECT_EQ(sort_text(made), "-helpful");
  EXPECT_EQ(sort_text(query("/p?sort=page_count").value()), "page_count");
  for (std::string_view text : {"--helpful", "-", "Helpful", "+rating", "limit", "-page", "a.min"})
    EXPECT_EQ(query("/p?sort=" + std::string(text)).error().parameter, "sort") << text;
}

const FacetFilter& only_facet(const Query& query) {
  EXPECT_EQ(query.facets.size(), 1u);
  return query.facets.at(0);
}

TEST(PageQuery, TakesConditionsOnAnyFacet) {
  auto made = query(
                  "/p?size=XL&helpful.max=90&not.size=S&size=L&tags.all=gift&helpful.min=-3&"
                  "tags.all=fit&size=L")
                  .value();
  ASSERT_EQ(made.facets.size(), 3u);
  const auto& helpful = made.facets[0];
  const auto& size = made.facets[1];
  const auto& tags = made.facets[2];
  EXPECT_EQ(helpful.facet, "helpful");
  EXPECT_EQ(helpful.min, -3);
  EXPECT_EQ(helpful.max, 90);
  EXPECT_EQ(size.facet, "size");
  EXPECT_EQ(size.any_of, (Parts{"XL", "L"}));
  EXPECT_EQ(size.none_of, Parts{"S"});
  EXPECT_EQ(tags.facet, "tags");
  EXPECT_EQ(tags.all_of, (Parts{"gift", "fit"}));
}

TEST(PageQuery, LanguageAndRatingTakeWhatAnyFacetTakes) {
  auto made = query("/p?language=pt-BR&not.language=en&rating.min=2&rating.max=4&rating=3").value();
  EXPECT_EQ(made.languages, Parts{"pt-BR"});
  EXPECT_EQ(made.ratings, std::vector<int>{3});
  ASSERT_EQ(made.facets.size(), 2u);
  EXPECT_EQ(made.facets[0].none_of, Parts{"en"});
  EXPECT_EQ(made.facets[1].min, 2);
  EXPECT_EQ(made.facets[1].max, 4);
  EXPECT_EQ(only_facet(query("/p?not.rating=1&not.rating=2").value()).none_of, (Parts{"1", "2"}));
}

TEST(PageQuery, AFacetMayBeNamedLikeAPartOfAParameter) {
  EXPECT_EQ(only_facet(query("/p?min.min=1").value()).facet, "min");
  EXPECT_EQ(only_facet(query("/p?not.not=1").value()).none_of, Parts{"1"});
  EXPECT_EQ(only_facet(query("/p?all=1").value()).any_of, Parts{"1"});
  EXPECT_EQ(only_facet(query("/p?all.all=1").value()).all_of, Parts{"1"});
}

// Each name is one of a filter's parameter exactly if it is a facet's name with at most one of the
// marks.
TEST(FacetOf, EveryShapeOfAName) {
  const Parts starts = {"", "not.", "not.not.", "Not.", ".", "no."};
  const Parts names = {"size", "a", "a_9", std::string(32, 'x')};
  const Parts no_names = {
      "",        "Size", "9a",   "_a",   "a-b",   "a b",    "\xC3\xA9", std::string(33, 'x'),
      "limit",   "sort", "page", "skip", "after", "before", "explain",  "facets",
      "product", "by",   "q"};
  const Parts ends = {"", ".all", ".min", ".max", ".", ".any", ".min.max", ".MIN"};
  auto is_one_of = [](const std::string& text, const Parts& parts) {
    return std::find(parts.begin(), parts.end(), text) != parts.end();
  };
  for (const auto& start : starts) {
    for (const auto& end : ends) {
      bool shape = (start.empty() && is_one_of(end, {"", ".all", ".min", ".max"})) ||
                   (start == "not." && end.empty());
      for (const auto& name : names)
        EXPECT_EQ(facet_of(start + name + end), shape ? name : "") << start + name + end;
      for (const auto& name : no_names) EXPECT_EQ(facet_of(start + name + end), "") << name;
    }
  }
}

TEST(PageQuery, AWrongConditionIsRefusedByItsParametersName) {
  std::string long_text(101, 'x');
  for (std::string_view name : {"size", "not.size", "tags.all", "language", "not.language"}) {
    for (const auto& value : {std::string(), long_text, std::string("%FF"), std::string("a%0Ab")}) {
      auto refused = query("/p?" + std::string(name) + "=" + value);
      ASSERT_FALSE(refused.ok()) << name << value;
      EXPECT_EQ(refused.error().parameter, name);
    }
  }
  for (std::string_view name : {"helpful.min", "helpful.max", "rating.min"}) {
    for (std::string_view value : {"", "x", "1.5", "+1", "1x", "99999999999999999999", "0x1"}) {
      auto refused = query("/p?" + std::string(name) + "=" + std::string(value));
      ASSERT_FALSE(refused.ok()) << name << value;
      EXPECT_EQ(refused.error().parameter, name);
    }
  }
  EXPECT_FALSE(query("/p?helpful.min=1&helpful.min=1").ok()) << "a bound is given once";
}

std::string repeated(const std::string& name, std::size_t from, std::size_t to) {
  std::string out;
  for (auto i = from; i < to; ++i) out += "&" + name + "=v" + std::to_string(i);
  return out;
}

TEST(PageQuery, TheNumberOfValuesIsBounded) {
  for (std::string name : {"size", "not.size", "tags.all", "language"}) {
    EXPECT_TRUE(query("/p?" + repeated(name, 0, 64)).ok()) << name;
    EXPECT_TRUE(query("/p?" + repeated(name, 0, 64) + repeated(name, 0, 64)).ok()) << "each once";
    EXPECT_EQ(query("/p?" + repeated(name, 0, 65)).error().parameter, name);
  }
  std::string full = "/p?";
  for (std::string name : {"a", "b", "not.a", "c.all"}) full += repeated(name, 0, 64);
  EXPECT_TRUE(query(full).ok());
  EXPECT_TRUE(query(full + "&n.min=1&n.max=2").ok()) << "bounds are no values";
  EXPECT_EQ(query(full + "&d=1").error().parameter, "d");
  EXPECT_EQ(query(full + "&rating=1").error().parameter, "rating");
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
                   {"/p?sort=Created", "sort"},
                   {"/p?sort=", "sort"},
                   {"/p?explain=1", "explain"},
                   {"/p?explain", "explain"},
                   {"/p?limit=5&limit=5", "limit"},
                   {"/p?after=x&after=x", "after"},
                   {"/p?Ratings=5", "Ratings"},
                   {"/p?skip=-1", "skip"},
                   {"/p?facets=yes", "facets"},
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

TEST(PageAddress, HasTheWordsThatAreAskedFor) {
  auto made = page_query(request_of("/p?q=zipper+br%C3%B6ke%26&rating=5&page=2"), "42").value();
  EXPECT_EQ(made.words, "zipper bröke&");
  EXPECT_EQ(page_address("/p", made), "/p?rating=5&q=zipper%20br%C3%B6ke%26");
  for (auto wrong : {"/p?q=", "/p?q", "/p?q=a&q=b"}) {
    auto refused = page_query(request_of(wrong), "42");
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().parameter, "q") << wrong;
  }
}

TEST(PageAddress, HasTheConditionsByFacetWhateverTheirOrder) {
  const std::string address =
      "/p?language=en&rating=5&helpful.min=-3&helpful.max=9&not.language=de&rating.min=2&size=L&"
      "size=a%26b&not.size=S&tags.all=gift&limit=5&sort=-helpful";
  auto parts = request_of(address).parameters;
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    // Only the order of the values of one parameter stays.
    std::shuffle(parts.begin(), parts.end(), random);
    Request sent;
    sent.parameters = parts;
    auto made = page_query(sent, "42").value();
    auto& sizes = made.facets.at(3).any_of;
    std::sort(sizes.begin(), sizes.end());
    EXPECT_EQ(page_address("/p", made), address);
  }
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
  EXPECT_EQ(parameters_of(a), parameters_of(b));
  EXPECT_EQ(a.limit, b.limit);
  EXPECT_EQ(a.sort, b.sort);
  EXPECT_EQ(a.sort_facet, b.sort_facet);
}

// Whether a value has a byte that no value may have.
bool is_refused(const Query& query) {
  for (const auto& [name, value] : filter_parameters(query)) {
    if (!characters(value, "") || value.empty()) return true;
  }
  return false;
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
    made.sort_facet = made.sort < Sort::highest || random() % 2 ? "rating" : "helpful";
    for (std::string name : {"helpful", "size", "tags"}) {
      FacetFilter filter{.facet = name};
      for (auto* values : {&filter.any_of, &filter.none_of, &filter.all_of}) {
        if (random() % 3 == 0) values->push_back("v" + mutated("L", "&=%+#; ", random) + "v");
      }
      if (random() % 2) filter.min = static_cast<std::int64_t>(random() % 9) - 4;
      if (filter.min || !filter.any_of.empty() || !filter.none_of.empty() || !filter.all_of.empty())
        made.facets.push_back(filter);
    }
    auto address = page_address("/p", made, "before=c-_9");
    auto read = query(address);
    if (is_refused(made)) {
      EXPECT_FALSE(read.ok()) << address;
      continue;
    }
    ASSERT_TRUE(read.ok()) << address;
    for (auto& language : made.languages)
      language = canonical_language(language).value_or(language);
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
                       "http://a.example?#limit=100",
                       "/p?size=L&not.size=XL&tags.all=a&helpful.min=3&helpful.max=9&sort=-helpful",
                       "/p?not.rating=1&skip=5&facets=true&language=%00%ff&sort=-created_at"};
  int no_address = 0, refused = 0, taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    auto target = mutated(seeds[random() % seeds.size()], "%/?&=#+;:@[].5 0fF\"", random);
    Request sent;
    sent.target = target;
    if (!parse_target(sent)) {
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
