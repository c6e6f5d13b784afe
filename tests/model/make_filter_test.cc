// Filters of any facet: they select what a plain evaluation of the query selects.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/rounds.h"
#include "model/filter.h"
#include "model/random_attributes.h"

namespace quire {
namespace {

using Texts = std::vector<std::string>;

// The texts of a comment's value of a facet, straight from the comment. Absent: it has none.
std::optional<Texts> texts_of(const Schema& schema, const std::string& name,
                              const Comment& comment) {
  auto value = facet_value(schema.find(name)->facet(), comment);
  if (!value) return {};
  if (auto* flag = std::get_if<bool>(&*value)) return Texts{*flag ? "true" : "false"};
  if (auto* number = std::get_if<std::int64_t>(&*value)) return Texts{std::to_string(*number)};
  if (auto* text = std::get_if<std::string>(&*value)) return Texts{*text};
  return std::get<Texts>(*value);
}

bool has(const Texts& texts, const std::string& text) {
  return std::count(texts.begin(), texts.end(), text) > 0;
}

bool selects(const Schema& schema, const FacetFilter& filter, const Comment& comment) {
  auto found = texts_of(schema, filter.facet, comment).value_or(Texts());
  auto there = [&](const std::string& text) { return has(found, text); };
  if (!filter.any_of.empty() && std::none_of(filter.any_of.begin(), filter.any_of.end(), there))
    return false;
  if (std::any_of(filter.none_of.begin(), filter.none_of.end(), there)) return false;
  if (!std::all_of(filter.all_of.begin(), filter.all_of.end(), there)) return false;
  if (!filter.min && !filter.max) return true;
  if (found.empty()) return false;
  auto number = std::stoll(found.front());
  return number >= filter.min.value_or(INT64_MIN) && number <= filter.max.value_or(INT64_MAX);
}

bool selects(const Schema& schema, const Query& query, const Comment& comment) {
  bool language = query.languages.empty() || has(query.languages, comment.language);
  bool rating = query.ratings.empty() ||
                std::count(query.ratings.begin(), query.ratings.end(), comment.rating) > 0;
  return language && rating &&
         std::all_of(query.facets.begin(), query.facets.end(),
                     [&](const FacetFilter& each) { return selects(schema, each, comment); });
}

const Texts languages{"en", "de", "pt-BR", "zh-Hant"};

Texts random_texts(RandomAttributes& random, const SchemaFacet& facet) {
  Texts out;
  for (std::size_t i = random.below(4); i > 0; --i) {
    if (facet.number == language_number)
      out.push_back(random.one_of(languages));
    else if (facet.number == rating_number)
      out.push_back(std::to_string(1 + random.below(5)));
    else if (facet.facet().type == FacetType::flag)
      out.push_back(random.below(2) == 0 ? "true" : "false");
    else if (facet.facet().type == FacetType::number)
      out.push_back(std::to_string(random.number()));
    else
      out.push_back(facet.facet().values.empty() ? random.text()
                                                 : random.one_of(facet.facet().values));
  }
  return out;
}

FacetFilter random_filter(RandomAttributes& random, const SchemaFacet& facet) {
  FacetFilter filter{facet.facet().name};
  if (random.below(2) == 0) filter.any_of = random_texts(random, facet);
  if (random.below(2) == 0) filter.none_of = random_texts(random, facet);
  auto type = facet.facet().type;
  if (type == FacetType::tags && random.below(2) == 0) filter.all_of = random_texts(random, facet);
  if (type != FacetType::number) return filter;
  auto end = [&] {
    return random.below(8) == 0 ? (random.below(2) == 0 ? INT64_MIN : INT64_MAX) : random.number();
  };
  if (random.below(3) == 0) filter.min = end();
  if (random.below(3) == 0) filter.max = end();
  return filter;
}

Comment random_comment(RandomAttributes& random, std::size_t names) {
  return {.language = random.one_of(languages),
          .rating = static_cast<int>(1 + random.below(5)),
          .attributes = random.attributes(names)};
}

TEST(FilterOfFacets, SelectsWhatThePlainEvaluationSelects) {
  RandomAttributes random(1);
  std::size_t matched = 0, nothing = 0, refused = 0;
  for (int round = 0; round < rounds(4000); ++round) {
    Schema schema = random.schema(random.below(6));
    Query query{.product = "42"};
    for (std::size_t i = random.below(3); i > 0; --i)
      query.languages.push_back(random.one_of(languages));
    for (std::size_t i = random.below(3); i > 0; --i)
      query.ratings.push_back(static_cast<int>(1 + random.below(5)));
    for (std::size_t i = random.below(4); i > 0; --i)
      query.facets.push_back(random_filter(random, random.one_of(schema.facets())));
    auto filter = make_filter(query, schema);
    if (!filter) {  // tags may be filtered once
      ASSERT_TRUE(filter.error().message.find("filtered twice") != std::string::npos)
          << filter.error().message;
      ++refused;
      continue;
    }
    nothing += filter->nothing;
    for (int i = 0; i < 40; ++i) {
      auto comment = random_comment(random, 6);
      bool expected = selects(schema, query, comment);
      ASSERT_EQ(filter->matches(comment), expected) << round;
      ASSERT_TRUE(!expected || filter->matches(cell(comment.language, comment.rating)));
      matched += expected;
    }
  }
  EXPECT_GT(matched, rounds(20'000u));
  EXPECT_GT(nothing, rounds(100u));
  EXPECT_LT(refused, rounds(400u));
}

const Schema shop({{2, {{"size", FacetType::choice, {"S", "M", "L"}}}},
                   {3, {{"tags", FacetType::tags}}},
                   {4, {{"verified", FacetType::flag}}},
                   {5, {{"helpful", FacetType::number}}},
                   {6, {{"color", FacetType::choice}}},
                   {7, {{"new", FacetType::flag}, FacetStatus::State::building, 0.5}},
                   {8, {{"old", FacetType::number}, FacetStatus::State::dropping}}});

Result<Filter> filter_of(std::vector<FacetFilter> facets) {
  return make_filter({.product = "42", .facets = std::move(facets)}, shop);
}

TEST(FilterOfFacets, GivesTextsInOneForm) {
  auto made = filter_of({{"helpful", {"007", "-0", "3", "3"}, {"3"}}}).value();
  ASSERT_EQ(made.clauses.size(), 1u);
  EXPECT_EQ(made.clauses[0].any_of, (Texts{"0", "7"}));
  EXPECT_TRUE(made.clauses[0].none_of.empty()) << "it excludes nothing that is wanted";
  auto tags = filter_of({{"tags", {"a", "b"}, {"b"}, {"c"}}}).value().clauses[0];
  EXPECT_EQ(tags.any_of, Texts{"a"});
  EXPECT_EQ(tags.none_of, Texts{"b"});
  EXPECT_EQ(tags.all_of, Texts{"c"});
}

TEST(FilterOfFacets, PutsRatingsAndLanguagesWhereListsFindThem) {
  auto made =
      filter_of({{"rating", {}, {"3"}, {}, 2, 4}, {"language", {"en", "de"}, {"de"}}}).value();
  EXPECT_EQ(made.values[rating_facet], (std::vector<FacetValue>{2, 4}));
  EXPECT_EQ(made.values[language_facet], (std::vector<FacetValue>{cell("en", 1)[0]}));
  EXPECT_TRUE(made.clauses.empty());
  made = filter_of({{"language", {}, {"de"}}}).value();
  EXPECT_TRUE(made.values[language_facet].empty());
  ASSERT_EQ(made.clauses.size(), 1u);
  EXPECT_EQ(made.clauses[0].number, language_number);
  EXPECT_FALSE(filter_of({{"rating", {}, {}, {}, 1, 5}}).value().restricts(rating_facet));
}

TEST(FilterOfFacets, TellsAContradiction) {
  for (const auto& none :
       std::vector<std::vector<FacetFilter>>{{{"helpful", {}, {}, {}, 5, 4}},
                                             {{"helpful", {"3"}, {}, {}, 4}},
                                             {{"helpful", {"3"}, {"3"}}},
                                             {{"helpful", {}, {}, {}, INT64_MAX}},
                                             {{"helpful", {}, {"3", "4", "9"}, {}, 3, 4}},
                                             {{"helpful", {"3"}}, {"helpful", {"4"}}},
                                             {{"tags", {}, {"a"}, {"a"}}},
                                             {{"tags", {"a"}, {"a"}}},
                                             {{"verified", {"true"}, {"true"}}},
                                             {{"rating", {"1"}}, {"rating", {"2"}}},
                                             {{"rating", {}, {"1", "2", "3", "4", "5"}}},
                                             {{"rating", {}, {}, {}, 6}},
                                             {{"language", {"en"}, {"en"}}}}) {
    auto made = filter_of(none).value();
    EXPECT_TRUE(made.nothing) << none.front().facet;
    EXPECT_EQ(made.contradicted.size(), 1u);
    EXPECT_FALSE(made.matches(Comment{.language = "en", .rating = 1}));
  }
  EXPECT_FALSE(filter_of({{"tags", {"a", "b"}, {}, {"b"}}}).value().nothing);
  EXPECT_FALSE(filter_of({{"helpful", {}, {"3", "5"}, {}, 3, 5}}).value().nothing);
}

TEST(FilterOfFacets, NamesTheParameterAtFault) {
  auto fault = [](FacetFilter asked) {
    auto made = filter_of({std::move(asked)});
    if (made) return std::string("none");
    EXPECT_TRUE(made.error().message.ends_with(".")) << made.error().message;
    return made.error().parameter;
  };
  EXPECT_EQ(fault({"none"}), "none");
  EXPECT_EQ(fault({"old", {"1"}}), "old") << "it is being dropped";
  EXPECT_EQ(fault({"none", {}, {"a"}}), "not.none");
  EXPECT_EQ(fault({"size", {"XL"}}), "size");
  EXPECT_EQ(fault({"size", {}, {"XL"}}), "not.size");
  EXPECT_EQ(fault({"size", {}, {}, {"S"}}), "size.all");
  EXPECT_EQ(fault({"tags", {}, {}, {""}}), "tags.all");
  EXPECT_EQ(fault({"verified", {"yes"}}), "verified");
  EXPECT_EQ(fault({"verified", {}, {}, {}, 1}), "verified.min");
  EXPECT_EQ(fault({"size", {}, {}, {}, {}, 1}), "size.max");
  for (auto text : {"", "a", "1.5", "1e3", "+1", " 1", "9007199254740992"})
    EXPECT_EQ(fault({"helpful", {text}}), "helpful") << text;
  EXPECT_EQ(fault({"color", {"a\nb"}}), "color");
  EXPECT_EQ(fault({"language", {}, {"E"}}), "not.language");
  EXPECT_EQ(fault({"rating", {}, {"6"}}), "not.rating");
}

TEST(FilterOfFacets, ALanguageIsTakenInAnyForm) {
  auto filter = filter_of({{"language", {"EN_us", "zh-hant", "en-US"}}});
  ASSERT_TRUE(filter);
  auto wanted = filter_of({{"language", {"en-US", "zh-Hant"}}});
  EXPECT_EQ(filter->values, wanted->values);
}

TEST(FilterOfFacets, WaitsForAFacetThatIsBeingBuilt) {
  auto made = filter_of({{"new", {"true"}}});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::facet_building);
  EXPECT_EQ(made.error().parameter, "new");
}

TEST(SortFacet, IsANumberThatIsReady) {
  auto by = [](Sort sort, std::string name) {
    return sort_facet({.product = "42", .sort = sort, .sort_facet = std::move(name)}, shop);
  };
  EXPECT_EQ(by(Sort::highest, "rating").value(), rating_number);
  EXPECT_EQ(by(Sort::lowest, "helpful").value(), 5);
  EXPECT_EQ(by(Sort::newest, "none").value(), no_facet) << "a sort by time has no facet";
  for (auto name : {"size", "none", "language", "old"}) {
    auto refused = by(Sort::highest, name);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
    EXPECT_EQ(refused.error().parameter, "sort");
  }
  EXPECT_EQ(by(Sort::highest, "new").error().code, ErrorCode::facet_building);
}

// Every condition of a filter and the facet sorted by change the fingerprint.
TEST(FingerprintOfFacets, TellsConditionsOfAllFacetsApart) {
  std::vector<std::uint32_t> seen;
  for (const auto& facets :
       std::vector<std::vector<FacetFilter>>{{},
                                             {{"language", {"pt-BR"}}},
                                             {{"language", {"pt"}}},
                                             {{"language", {}, {"pt"}}},
                                             {{"helpful", {"1"}}},
                                             {{"helpful", {}, {"1"}}},
                                             {{"helpful", {}, {"2"}}},
                                             {{"helpful", {}, {}, {}, 1}},
                                             {{"helpful", {}, {}, {}, {}, 1}},
                                             {{"helpful", {}, {}, {}, 0}},
                                             {{"helpful", {}, {}, {}, 1, 1}},
                                             {{"helpful", {"11"}}},
                                             {{"helpful", {"1", "11"}}},
                                             {{"tags", {"a"}}},
                                             {{"tags", {}, {}, {"a"}}},
                                             {{"tags", {"ab"}}},
                                             {{"tags", {"a", "b"}}},
                                             {{"color", {"a"}}},
                                             {{"tags", {"a"}}, {"color", {"a"}}},
                                             {{"helpful", {"1"}}, {"helpful", {"2"}}}}) {
    auto made = filter_of(facets).value();
    seen.push_back(fingerprint(made));
    EXPECT_EQ(fingerprint(made, no_facet), seen.back());
    seen.push_back(fingerprint(made, 5));
    seen.push_back(fingerprint(made, 8));
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

// Golden: people keep cursors with these numbers.
TEST(FingerprintOfFacets, OfOtherFacetsIsThatOfItsSpecification) {
  auto made = filter_of({{"helpful", {}, {}, {}, 1}, {"tags", {"a"}}}).value();
  EXPECT_EQ(fingerprint(made, 5), 0x2226DCBEu);
  EXPECT_EQ(fingerprint(filter_of({{"language", {"pt-BR"}}}).value()), 0x8D645EA3u);
}

}  // namespace
}  // namespace quire
