#include "bitmap_index/reading/selection.h"
#include "base/rounds.h"

#include <gtest/gtest.h>

#include <random>

#include "quire/page.h"

namespace quire::bitmap_index {
namespace {

constexpr std::uint64_t hash_key = 11;

Schema schema() {
  return Schema({{2, {{"verified", FacetType::flag}}},
                 {3, {{"size", FacetType::choice}}},
                 {4, {{"color", FacetType::choice, {"red", "green", "blue"}}}},
                 {5, {{"tags", FacetType::tags}}},
                 {6, {{"votes", FacetType::number}}},
                 {7, {{"gone", FacetType::flag}, FacetStatus::State::dropping}},
                 {8, {{"coming", FacetType::flag}, FacetStatus::State::building}}});
}

template <class T>
const T& one_of(std::mt19937_64& random, const std::vector<T>& values) {
  return values[random() % values.size()];
}

const std::vector<std::string> language_texts{"en", "de", "pt-BR", "zh-Hant"};
const std::vector<std::string> size_texts{"S", "M", "L"};
const std::vector<std::string> color_texts{"red", "green", "blue"};
const std::vector<std::string> tag_texts{"gift", "travel", "photo", "pets"};
const std::vector<std::int64_t> vote_numbers{-1000, -32, -1, 0,    1,    5,      31,
                                             32,    33,  34, 1000, 1001, 999'999};

Comment random_comment(std::mt19937_64& random) {
  Comment comment{.language = one_of(random, language_texts), .rating = 1 + int(random() % 5)};
  auto& has = comment.attributes;
  if (random() % 3) has["verified"] = random() % 2 == 0;
  if (random() % 3) has["size"] = one_of(random, size_texts);
  if (random() % 3) has["color"] = random() % 9 ? one_of(random, color_texts) : std::string("pink");
  if (random() % 3) has["votes"] = one_of(random, vote_numbers);
  if (random() % 9 == 0) has["votes"] = std::string("many");
  if (random() % 3) {
    std::vector<std::string> some;
    for (auto left = random() % 4; left > 0; --left) some.push_back(one_of(random, tag_texts));
    has["tags"] = some;
  }
  return comment;
}

FacetFilter random_condition(std::mt19937_64& random) {
  FacetFilter condition;
  std::vector<std::string> texts;
  switch (random() % 5) {
    case 0:
      condition.facet = "verified", texts = {"true", "false"};
      break;
    case 1:
      condition.facet = "size", texts = {"S", "M", "XXL"};
      break;
    case 2:
      condition.facet = "color", texts = color_texts;
      break;
    case 3:
      condition.facet = "tags", texts = tag_texts;
      break;
    default:
      condition.facet = "votes";
      for (auto number : vote_numbers) texts.push_back(std::to_string(number));
      if (random() % 2) condition.min = one_of(random, vote_numbers);
      if (random() % 2) condition.max = one_of(random, vote_numbers);
  }
  auto some = [&](std::vector<std::string>& wanted) {
    for (auto left = random() % 3; left > 0; --left) wanted.push_back(one_of(random, texts));
  };
  if (random() % 2) some(condition.any_of);
  if (random() % 3 == 0) some(condition.none_of);
  if (random() % 3 == 0 && condition.facet == "tags") some(condition.all_of);
  return condition;
}

Query random_query(std::mt19937_64& random) {
  Query query{.product = "p"};
  for (auto left = random() % 3; left > 0; --left)
    query.languages.push_back(one_of(random, language_texts));
  for (auto left = random() % 3; left > 0; --left) query.ratings.push_back(1 + int(random() % 5));
  for (auto left = random() % 4; left > 0; --left) query.facets.push_back(random_condition(random));
  if (random() % 5 == 0) query.facets.push_back({"language", {}, {one_of(random, language_texts)}});
  return query;
}

TEST(SelectionTest, SelectsWhatTheFilterMatches) {
  std::mt19937_64 random(1);
  auto facets = schema();
  int filters = 0, matched = 0;
  for (int round = 0; round < rounds(3000); ++round) {
    auto filter = make_filter(random_query(random), facets);
    if (!filter.ok()) continue;
    ++filters;
    auto selection = selection_of(hash_key, *filter);
    for (int i = 0; i < 20; ++i) {
      auto comment = random_comment(random);
      bool expected = !filter->nothing && filter->matches(comment);
      ASSERT_EQ(matches(selection, values_of(hash_key, facets, comment)), expected) << round;
      matched += expected ? 1 : 0;
    }
  }
  EXPECT_GT(filters, rounds(1000));
  EXPECT_GT(matched, rounds(1000));
}

Selection of(std::vector<FacetFilter> conditions) {
  auto filter = make_filter(Query{.product = "p", .facets = std::move(conditions)}, schema());
  EXPECT_TRUE(filter.ok());
  return selection_of(hash_key, *filter);
}

TEST(SelectionTest, ContradictionsAreNothing) {
  EXPECT_TRUE(of({{"size", {"S"}, {"S"}}}).nothing);
  EXPECT_TRUE(of({{"tags", {}, {"gift"}, {"gift", "pets"}}}).nothing);
  EXPECT_TRUE(of({{.facet = "votes", .min = 5, .max = 4}}).nothing);
  EXPECT_TRUE(of({{.facet = "votes", .any_of = {"3"}, .min = 5}}).nothing);
  EXPECT_TRUE(of({{.facet = "votes", .none_of = {"5"}, .min = 5, .max = 5}}).nothing);
  EXPECT_FALSE(of({{"size", {"S", "M"}, {"S"}}}).nothing);
  EXPECT_FALSE(of({{"tags", {"pets"}, {"gift"}}}).nothing);
}

TEST(SelectionTest, FiltersThatMeanTheSameAreTheSame) {
  EXPECT_EQ(of({{"size", {"S", "M"}, {"S"}}}), of({{"size", {"M"}}}));
  EXPECT_EQ(of({{"size", {"M", "S"}}}), of({{"size", {"S", "M", "S"}}}));
  EXPECT_EQ(of({{"tags", {}, {}, {"gift"}}}), of({{"tags", {"gift"}}}));
  EXPECT_EQ(of({{"tags", {"gift", "pets"}, {}, {"gift"}}}), of({{"tags", {"gift"}}}));
  EXPECT_EQ(of({{.facet = "votes", .min = 4, .max = 5}}), of({{"votes", {"5", "4"}}}));
  EXPECT_EQ(of({{.facet = "votes", .none_of = {"3"}, .min = 4, .max = 5}}),
            of({{"votes", {"5", "4"}}}));
  EXPECT_NE(bytes_of(of({{"size", {"S"}}})), bytes_of(of({{"size", {"M"}}})));
  EXPECT_NE(bytes_of(of({{"size", {"S"}}})), bytes_of(of({{"size", {}, {"S"}}})));
}

TEST(SelectionTest, LevelsCountSingleFacets) {
  EXPECT_TRUE(tally_of({}));
  EXPECT_TRUE(tally_of(of({{"size", {"S", "M"}}})));
  EXPECT_TRUE(tally_of(of({{"size", {}, {"S", "M"}}})));
  EXPECT_TRUE(tally_of(of({{"tags", {"gift"}}})));
  EXPECT_TRUE(tally_of(of({{.facet = "votes", .min = 4, .max = 5}})));
  EXPECT_FALSE(tally_of(of({{"tags", {"gift", "pets"}}})));  // an id may have both
  EXPECT_FALSE(tally_of(of({{.facet = "votes", .min = 4}})));
  EXPECT_FALSE(tally_of(of({{"size", {"S"}}, {"tags", {"gift"}}})));
}

TEST(ValuesTest, AreThoseOfReadyFacetsAndOfThoseBuiltSoFar) {
  Comment comment{.language = "de", .rating = 4};
  comment.attributes["gone"] = true;
  comment.attributes["coming"] = true;
  comment.attributes["tags"] = std::vector<std::string>{"pets", "gift", "pets"};
  auto values = values_of(hash_key, schema(), comment);
  ASSERT_EQ(values.size(), 5u);
  EXPECT_EQ(values[0].text, "de");
  EXPECT_EQ(values[1], (Value{rating_number, encode_number(4).code, 0, true}));
  EXPECT_LT(values[2].code, values[3].code);
  EXPECT_EQ(values[4], (Value{8, 1}));
  EXPECT_EQ(values_of(hash_key, schema(), comment, false).size(), 4u);
}

}  // namespace
}  // namespace quire::bitmap_index
