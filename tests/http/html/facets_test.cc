// What the web page offers of each facet, and the chosen conditions.
#include <gtest/gtest.h>

#include "http/html/facet_values.h"
#include "http/html/labels.h"
#include "http/html/parts.h"
#include "http/query.h"
#include "http/templates/template.h"

namespace quire::http {
namespace {

using Offered = std::vector<std::tuple<std::string, std::optional<std::uint64_t>, bool>>;

const std::vector<Facet> facets = {
    {"language", FacetType::choice}, {"rating", FacetType::number},
    {"verified", FacetType::flag},   {"size", FacetType::choice, {"S", "M", "L"}},
    {"tags", FacetType::tags},       {"helpful", FacetType::number}};

// The values that a page offers of a facet.
Offered values(const Query& query, const std::vector<FacetCounts>& counts, const Facet& facet) {
  FoundPage found;
  found.facets = counts;
  Offered out;
  for (const auto& row : values_of({query, found, {}, {}, {}}, facet))
    out.emplace_back(row.value, row.comments, row.chosen);
  return out;
}

Query query_of(const Parameters& parameters) {
  Query query{.product = "42"};
  for (const auto& [name, value] : parameters) EXPECT_FALSE(add_filter(query, name, value)) << name;
  return query;
}

TEST(ValuesOf, AShortClosedChoiceHasItsValuesInOrder) {
  auto query = query_of({{"size", "L"}});
  EXPECT_EQ(values(query, {{"size", FacetType::choice, {{"L", 9}, {"S", 2}}}}, facets[3]),
            (Offered{{"S", 2, false}, {"M", 0, false}, {"L", 9, true}}));
  EXPECT_EQ(values(query, {}, facets[3]),
            (Offered{{"S", {}, false}, {"M", {}, false}, {"L", {}, true}}))
      << "without counts";
}

TEST(ValuesOf, AFlagHasBothValuesAndARatingFive) {
  EXPECT_EQ(values({}, {{"verified", FacetType::flag, {{"false", 3}}}}, facets[2]),
            (Offered{{"true", 0, false}, {"false", 3, false}}));
  EXPECT_EQ(
      values(query_of({{"rating", "1"}}), {{"rating", FacetType::number, {{"1", 3}, {"4", 2}}}},
             facets[1]),
      (Offered{
          {"5", 0, false}, {"4", 2, false}, {"3", 0, false}, {"2", 0, false}, {"1", 3, true}}));
}

TEST(ValuesOf, OthersComeByNumberOfComments) {
  std::vector<FacetCounts> counts = {{"tags", FacetType::tags, {{"a", 1}, {"b", 5}, {"c", 1}}}};
  EXPECT_EQ(values({}, counts, facets[4]),
            (Offered{{"b", 5, false}, {"a", 1, false}, {"c", 1, false}}));
  EXPECT_EQ(values(query_of({{"tags", "x"}, {"tags", "a"}, {"not.tags", "y"}}), counts, facets[4]),
            (Offered{{"b", 5, false}, {"a", 1, true}, {"c", 1, false}, {"x", 0, true}}))
      << "a wanted value without comments is there to be taken back";
  EXPECT_EQ(values({}, {}, facets[4]), Offered{});
  EXPECT_EQ(values({}, counts, facets[5]), Offered{}) << "a number has a range";
}

TEST(ValuesOf, AWantedValueBeyondTheMostFrequentHasNoKnownNumber) {
  FacetCounts counts{"tags", FacetType::tags};
  for (std::uint64_t i = 0; i < 100; ++i)
    counts.values.emplace_back("t" + std::to_string(i), 200 - i);
  auto shown = values(query_of({{"tags", "rare"}}), {counts}, facets[4]);
  ASSERT_EQ(shown.size(), 101u);
  EXPECT_EQ(shown.back(), (Offered::value_type{"rare", {}, true}));
}

TEST(ValuesOf, ALongClosedChoiceComesByNumberOfComments) {
  Facet shop{"shop", FacetType::choice};
  for (int i = 0; i < 200; ++i) shop.values.push_back("s" + std::to_string(i));
  FacetCounts counts{"shop", FacetType::choice};
  for (std::uint64_t i = 0; i < 150; ++i) counts.values.emplace_back("s" + std::to_string(i), i);
  auto shown = values(query_of({{"shop", "s199"}}), {counts}, shop);
  ASSERT_EQ(shown.size(), 151u) << "those without comments are left out";
  EXPECT_EQ(shown.front(), (Offered::value_type{"s149", 149, false}));
  EXPECT_EQ(shown.back(), (Offered::value_type{"s199", 0, true}));
}

TEST(Without, RemovesOneConditionAndKeepsTheOthers) {
  const Parameters all = {{"language", "en"},   {"rating", "5"},     {"helpful.min", "3"},
                          {"helpful.max", "9"}, {"not.rating", "1"}, {"size", "L"},
                          {"size", "M"},        {"not.size", "S"},   {"tags.all", "a"}};
  auto query = query_of(all);
  query.limit = 7;
  query.sort = Sort::highest;
  query.sort_facet = "helpful";
  query.page = 3;
  ASSERT_EQ(filter_parameters(query), all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto left = all;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    auto made = without(query, all[i].first, all[i].second);
    EXPECT_EQ(filter_parameters(made), left);
    EXPECT_EQ(made.limit, 7u);
    EXPECT_EQ(sort_text(made), "-helpful");
    EXPECT_EQ(made.page, std::nullopt) << "from the first page";
  }
}

TEST(ChosenValues, CountsEachCondition) {
  auto query = query_of({{"size", "L"}, {"not.size", "S"}, {"helpful.min", "1"}, {"rating", "2"}});
  EXPECT_EQ(chosen_values(query), 4u);
  EXPECT_EQ(chosen_values(query, "size"), 2u);
  EXPECT_EQ(chosen_values(query, "helpful"), 1u);
  EXPECT_EQ(chosen_values(query, "tags"), 0u);
}

std::string chips(const Query& query, const std::vector<FacetStatus>& known = {}) {
  TemplateValues page;
  FoundPage found;
  fill_chosen(page, {query, found, {}, known, {}, links_of("", "42")});
  return fill_template("comments.tpl", page);
}

TEST(Chips, DoNotRepeatALongFilterForEachOfItsValues) {
  EXPECT_NE(chips(query_of({{"tags", "gift"}, {"tags", "fit"}})).find("tags=fit"),
            std::string::npos);
  Parameters parameters;
  for (std::string name : {"country", "not.country", "tags", "not.tags"}) {
    for (int i = 0; i < 60; ++i)
      parameters.emplace_back(name, std::to_string(i) + std::string(50, '+'));
  }
  EXPECT_LT(chips(query_of(parameters)).size(), 300'000u);
}

TEST(Chips, SayWhatAnExcludedFlagLeaves) {
  std::vector<FacetStatus> known = {{.facet = facets[2]}, {.facet = facets[3]}};
  auto text = chips(query_of({{"not.size", "L"}, {"not.verified", "true"}, {"size", "S"}}), known);
  for (std::string label : {"Size: not L", "Size: S", "Verified: No or not stated"})
    EXPECT_NE(text.find(label), std::string::npos) << label << " in " << text;
}

TEST(Labels, AreWords) {
  EXPECT_EQ(facet_label("page_count"), "Page count");
  EXPECT_EQ(facet_label("x"), "X");
  EXPECT_EQ(value_label("verified", FacetType::flag, "true"), "Yes");
  EXPECT_EQ(value_label("verified", FacetType::flag, "false"), "No");
  EXPECT_EQ(value_label("rating", FacetType::number, "1"), "1 star");
  EXPECT_EQ(value_label("rating", FacetType::number, "4"), "4 stars");
  EXPECT_EQ(value_label("size", FacetType::choice, "true"), "true");
  EXPECT_EQ(language_label("en"), "English");
  EXPECT_EQ(language_label("und"), "Not stated");
  EXPECT_EQ(language_label("pt-BR"), "Portuguese (BR)");
  EXPECT_EQ(language_label("zh-Hant-TW"), "Chinese (Hant-TW)");
  EXPECT_EQ(language_label("tlh"), "tlh");
  EXPECT_EQ(language_label("tlh-Latn"), "tlh-Latn");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "comment"), "1 comment");
}

}  // namespace
}  // namespace quire::http
