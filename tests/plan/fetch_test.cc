// Documents are fetched in the cheaper way.
#include "plan/plan.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

// Half a unit for a comment by its id, and for eight entries of a list.
constexpr CostModel costs{.per_list = 0.01,
                          .per_entry = {0.0625, 0.0625, 0.0625, 0.0625},
                          .step = 0.5,
                          .per_comment = 0.5};

TEST(Fetch, TheListIsTheSmallestThatHasThemAll) {
  auto covering = [](std::vector<std::string> languages, std::vector<int> ratings) {
    Query query{.product = "42", .languages = languages, .ratings = ratings};
    return list_key("42", covering_list(make_filter(query).value()));
  };
  EXPECT_EQ(covering({}, {}), "PRODUCT#42");
  EXPECT_EQ(covering({"en"}, {}), "PRODUCT#42/en");
  EXPECT_EQ(covering({"de", "en"}, {5}), "PRODUCT#42/5");
  EXPECT_EQ(covering({"pt-BR"}, {5}), "PRODUCT#42/pt-BR/5");
}

TEST(Fetch, AListIsReadWhereItsEntriesCostLess) {
  for (std::uint64_t comments = 1; comments <= 100; ++comments) {
    for (std::uint64_t spread = comments; spread <= 8 * comments + 8; ++spread) {
      auto ways = plan_fetch(comments, Cell{}, spread, costs);
      ASSERT_EQ(ways.size(), 2u);
      bool read = (spread + 7) / 8 < comments;  // whole steps
      EXPECT_EQ(ways[0].list.has_value(), read) << comments << " of " << spread;
      EXPECT_EQ(ways[1].list.has_value(), !read);
    }
  }
}

TEST(Fetch, AListThatTheStoreDoesNotHaveIsNoWay) {
  CostModel without = costs;
  without.per_entry = {0.0625, no_such_list, no_such_list, no_such_list};
  EXPECT_EQ(plan_fetch(20, Cell{}, 24, without).size(), 2u);
  auto ways = plan_fetch(20, cell("en", 5), 24, without);
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_FALSE(ways[0].list);
}

TEST(Fetch, AWayIsToldInAFewWords) {
  auto ways = plan_fetch(20, cell("en", 5), 24, costs);
  EXPECT_EQ(summary("42", ways[0]), "from PRODUCT#42/en/5, 24 entries, cost 1.5");
  EXPECT_EQ(summary("42", ways[1]), "20 by id, cost 10.0");
}

}  // namespace
}  // namespace quire
