// What the web page offers of each facet, and the chosen conditions.
#include <gtest/gtest.h>

#include "http/html/facet_values.h"
#include "http/html/labels.h"
#include "http/html/parts.h"
#include "http/query.h"
#include "http/templates/template.h"
#include "texts/languages.h"

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
  for (const auto& row : values_of({query, found, {}, {}, {}, {}, nullptr}, facet))
    out.emplace_back(row.value, row.comments, row.chosen);
  return out;
}

Query query_of(const Parameters& parameters) {
  Query query{.product = "42"};
  for (const auto& [name, value] : parameters) EXPECT_TRUE(add_filter(query, name, value)) << name;
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

std::shared_ptr<const texts::Texts> english() {
  return texts::Languages::built_in().find("en");
}

std::string chips(const Query& query, const std::vector<FacetStatus>& known = {}) {
  TemplateValues page;
  FoundPage found;
  fill_chosen(page, {query, found, {}, known, {}, links_of("", "42"), english().get()});
  return Templates(*english()).fill("comments.tpl", page);
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
  for (std::string label : {"Size: not L", "Size: S", "Verified purchase: No or not stated"})
    EXPECT_NE(text.find(label), std::string::npos) << label << " in " << text;
}

// The form of a page with these counts.
std::string form(const std::vector<FacetCounts>& counts, std::string_view opened = {},
                 const Query& query = {.product = "42"}) {
  TemplateValues values;
  FoundPage found;
  found.facets = counts;
  std::vector<FacetStatus> known;
  for (const auto& each : counts)
    known.push_back({{each.facet, each.type}, FacetStatus::State::ready, 1});
  Zone utc;
  fill_filters(
      values,
      {query, found, {}, known, {}, links_of("", "42"), english().get(), &utc, {}, {}, opened});
  return Templates(*english()).fill("comments.tpl", values);
}

FacetCounts of_countries(std::uint64_t countries) {
  FacetCounts counts{"country", FacetType::choice};
  for (std::uint64_t i = 0; i < countries; ++i)
    counts.values.emplace_back("C" + std::to_string(i), 1000 - i);
  return counts;
}

std::size_t times(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Form, HasTheFirstOfManyValuesAndALinkToAll) {
  auto few = form({of_countries(12)}), many = form({of_countries(13)});
  EXPECT_EQ(times(few, "name=\"country\""), 12u);
  EXPECT_EQ(times(few, "class=\"more\""), 0u);
  EXPECT_EQ(times(many, "name=\"country\""), 6u);
  EXPECT_EQ(times(many, "<a class=\"more\" href=\"/products/42?facets=country#filters\""), 1u);
  auto all = form({of_countries(13)}, "country");
  EXPECT_EQ(times(all, "name=\"country\""), 13u);
  EXPECT_EQ(times(all, "class=\"more\""), 0u);
  EXPECT_EQ(times(all, "<details class=\"fold\" data-facet=\"country\" open>"), 1u);
}

TEST(Form, AlwaysHasTheChosenValues) {
  Query query{.product = "42"};
  query.facets.push_back({.facet = "country", .any_of = {"C11", "C12"}});
  auto many = form({of_countries(13)}, {}, query);
  EXPECT_EQ(times(many, "name=\"country\""), 8u);
  EXPECT_EQ(times(many, " checked>"), 2u);
}

TEST(Form, WritesBoundsAsItsLanguageWritesNumbers) {
  FacetCounts counts{
      .facet = "helpful", .type = FacetType::number, .min = -1234, .max = 3288, .comments = 2};
  EXPECT_EQ(times(form({counts}), "<bdi>-1,234</bdi> to <bdi>3,288</bdi>"), 1u);
}

TEST(Links, LeaveOutThePathOfTheirOwnPage) {
  auto links = links_of("/reviews", "42", "ui=de");
  Query all{.product = "42"};
  EXPECT_EQ(links.numbered(all, 2), "/reviews/products/42?page=2&ui=de");
  links.within = true;
  EXPECT_EQ(links.numbered(all, 2), "?page=2&ui=de");
  EXPECT_EQ(links.page(all), "?ui=de");
  links.ui.clear();
  EXPECT_EQ(links.numbered(all, 2), "?page=2");
  EXPECT_EQ(links.page(all), "/reviews/products/42");
}

TEST(Labels, AreWords) {
  const auto& texts = *english();
  EXPECT_EQ(facet_label(texts, "page_count"), "Page count");
  EXPECT_EQ(facet_label(texts, "x"), "X");
  EXPECT_EQ(facet_label(texts, "verified"), "Verified purchase");
  EXPECT_EQ(value_label(texts, "verified", FacetType::flag, "true"), "Yes");
  EXPECT_EQ(value_label(texts, "verified", FacetType::flag, "false"), "No");
  EXPECT_EQ(value_label(texts, "rating", FacetType::number, "1"), "1 star");
  EXPECT_EQ(value_label(texts, "rating", FacetType::number, "4"), "4 stars");
  EXPECT_EQ(value_label(texts, "size", FacetType::choice, "true"), "true");
  EXPECT_EQ(value_label(texts, "country", FacetType::choice, "DE"), "Germany");
  EXPECT_EQ(value_label(texts, "language", FacetType::choice, "en"), "English");
}

}  // namespace
}  // namespace quire::http
