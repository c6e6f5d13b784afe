// Filters in words.
#include "plan/plan.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

TEST(Terms, NameEachFacetOfAFilterOnce) {
  Schema schema({{2, {{"size", FacetType::choice}}},
                 {3, {{"tags", FacetType::tags}}},
                 {4, {{"helpful", FacetType::number}}},
                 {5, {{"verified", FacetType::flag}}}});
  Query query{
      .product = "42",
      .languages = {"en", "de"},
      .ratings = {5, 4},
      .facets = {{.facet = "size", .none_of = {"S", "M"}},
                 {.facet = "tags", .any_of = {"new"}, .none_of = {"old"}, .all_of = {"b", "a"}},
                 {.facet = "helpful", .none_of = {"7"}, .min = -3, .max = 9},
                 {.facet = "verified", .any_of = {"true"}}},
      .words = "Fits a Zipper"};
  EXPECT_EQ(terms(make_filter(query, schema).value()),
            (std::vector<std::string>{
                "language de en", "rating 4 5", "size not M S", "tags new, all of a b, not old",
                "helpful from -3 to 9, not 7", "verified true", "words a fits zipper"}));
  EXPECT_TRUE(terms(make_filter({.product = "42"}, schema).value()).empty());
}

}  // namespace
}  // namespace quire
