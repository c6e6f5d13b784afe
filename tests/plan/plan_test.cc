// The properties of every plan, for any counts, filter and costs.
#include "plan/plan.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "base/rounds.h"
#include "plan/tables.h"

namespace quire {
namespace {

const std::array<std::string, 4> languages{"de", "en", "fr", "pl"};

// Many empty cells, some small and some large ones.
Counts random_counts(std::mt19937& random) {
  std::vector<LanguageCounts> table;
  for (const auto& language : languages) {
    table.push_back({language, {}});
    for (auto& comments : table.back().by_rating) {
      constexpr std::array<std::uint64_t, 6> sizes{0, 0, 0, 1, 30, 5000};
      comments = sizes[random() % sizes.size()];
    }
  }
  return counts_of(table);
}

struct Planned {
  Filter filter;
  Counts counts;
  Plan plan;
};

// Calls `check` with the plan of every filter on many tables of counts, including empty and typical
// ones.
void each_plan(void (*check)(const Planned&)) {
  std::mt19937 random(1);
  for (int table = 0; table < rounds(30); ++table) {
    Counts counts = table == 0 ? Counts{} : table == 1 ? typical_counts() : random_counts(random);
    for (unsigned bits = 0; bits < 16 * 32; ++bits) {
      std::vector<std::string> wanted;
      for (unsigned i = 0; i < 4; ++i) {
        if (bits >> i & 1) wanted.push_back(languages[i]);
      }
      Filter filter = filter_of(wanted, bits >> 4);
      const auto& costs = cost_models[table % 2].costs;
      check({filter, counts, make_plan(filter, counts, 1 + bits % 101, costs)});
      if (testing::Test::HasFailure()) return;
    }
  }
}

std::size_t lists_covering(const Choice& choice, const Cell& cell) {
  return static_cast<std::size_t>(
      std::count_if(choice.lists.begin(), choice.lists.end(),
                    [&](const Cell& list) { return covers(list, cell); }));
}

TEST(Plan, EveryChoiceSelectsExactlyWhatTheFilterSelects) {
  each_plan([](const Planned& p) {
    for (const auto& choice : p.plan.choices) {
      Filter residual = p.plan.residual(choice);
      for (const auto& row : p.counts.rows()) {
        bool selected = lists_covering(choice, row.cell) > 0 && residual.matches(row.cell);
        ASSERT_EQ(selected, p.filter.matches(row.cell)) << summary(p.plan, choice);
      }
    }
  });
}

TEST(Plan, NoCommentIsInTwoListsOfAChoice) {
  each_plan([](const Planned& p) {
    for (const auto& choice : p.plan.choices) {
      for (const auto& row : p.counts.rows()) ASSERT_LE(lists_covering(choice, row.cell), 1u);
    }
  });
}

TEST(Plan, ReadsNoEmptyListAndSkipsNoOther) {
  each_plan([](const Planned& p) {
    for (const auto& choice : p.plan.choices) {
      for (const auto& list : choice.lists) ASSERT_GT(p.counts.length(list), 0u);
      for (const auto& list : choice.skipped) ASSERT_EQ(p.counts.length(list), 0u);
    }
  });
}

TEST(Plan, DropsAFacetOnlyWhenItSelectsEverything) {
  each_plan([](const Planned& p) {
    ASSERT_EQ(p.counts.total(p.plan.filter), p.counts.total(p.filter));
    for (std::size_t facet = 0; facet < facet_count; ++facet) {
      if (!p.plan.filter.restricts(facet)) continue;
      ASSERT_EQ(p.plan.filter.values[facet], p.filter.values[facet]);
      Filter without = p.plan.filter;
      without.values[facet].clear();
      ASSERT_GT(p.counts.total(without), p.plan.matches) << "an idle facet was kept";
    }
  });
}

TEST(Plan, NeverAddsAFacet) {
  each_plan([](const Planned& p) {
    for (std::size_t facet = 0; facet < facet_count; ++facet) {
      ASSERT_TRUE(p.filter.restricts(facet) || !p.plan.filter.restricts(facet));
    }
    ASSERT_EQ(p.plan.filter.product, p.filter.product);
  });
}

TEST(Plan, KnowsHowManyCommentsMatch) {
  each_plan([](const Planned& p) { ASSERT_EQ(p.plan.matches, p.counts.total(p.filter)); });
}

TEST(Plan, ChoosesTheCheapestAndNamesTheOthersByCost) {
  each_plan([](const Planned& p) {
    ASSERT_FALSE(p.plan.choices.empty());
    for (std::size_t i = 1; i < p.plan.choices.size(); ++i) {
      ASSERT_LE(p.plan.choices[i - 1].cost, p.plan.choices[i].cost);
    }
  });
}

TEST(Plan, AlwaysHasALosslessChoice) {
  each_plan([](const Planned& p) {
    ASSERT_FALSE(p.plan.lossless().drops());
    ASSERT_FALSE(p.plan.residual(p.plan.lossless()).restricts(language_facet));
    ASSERT_FALSE(p.plan.residual(p.plan.lossless()).restricts(rating_facet));
  });
}

TEST(Plan, ExpectsNoMoreEntriesThanTheListsHold) {
  each_plan([](const Planned& p) {
    for (const auto& choice : p.plan.choices) {
      double held = 0;
      for (const auto& list : choice.lists) held += static_cast<double>(p.counts.length(list));
      ASSERT_LE(choice.entries, held + 1e-6) << summary(p.plan, choice);
      ASSERT_EQ(choice.cost > 0, p.plan.matches > 0) << summary(p.plan, choice);
    }
  });
}

TEST(Plan, OfNothingReadsNothing) {
  Plan plan = make_plan(filter_of({"fr"}, 1), typical_counts(), 21, cost_models[0].costs);
  EXPECT_EQ(plan.matches, 0u);
  EXPECT_EQ(plan.choices.size(), 1u);
  EXPECT_TRUE(plan.chosen().lists.empty());
}

TEST(Plan, OfAProductWithoutCommentsReadsNothing) {
  Plan plan = make_plan(filter_of({}, 0), Counts{}, 21, cost_models[0].costs);
  EXPECT_TRUE(plan.chosen().lists.empty());
  EXPECT_EQ(plan.matches, 0u);
}

TEST(Plan, CountsThatAreNotExactSkipListsOnlyWhereTheyAreTrusted) {
  Counts counts = typical_counts();
  counts.exact = false;
  const auto& costs = cost_models[1].costs;
  auto plan = [&] { return make_plan(filter_of({"fr"}, 0b10101), counts, 21, costs); };
  EXPECT_EQ(plan().lossless().lists.size(), 3u);
  EXPECT_EQ(plan().counts_age_ms, std::nullopt);
  counts.trusted_age_ms = 700;
  EXPECT_EQ(plan().lossless().lists.size(), 2u);
  EXPECT_EQ(plan().lossless().skipped, (std::vector<Cell>{cell("fr", 1)}));
  EXPECT_EQ(plan().counts_age_ms, 700u);
  auto all = make_plan(filter_of({"de", "en", "fr", "pl"}, 31), counts, 21, costs);
  EXPECT_TRUE(all.filter.restricts(language_facet)) << "another language may have comments by now";
}

TEST(Plan, BilledStepsAreRoundedUpPerList) {
  Counts counts = counts_of({{"en", {10, 0, 0, 0, 10}}});
  CostModel costs{.per_list = 0, .per_entry = {1, 1, 1, 1}, .step = 8};
  // Twenty entries of one list are three steps of eight; ten and ten of two are two steps each.
  Plan plan = make_plan(filter_of({}, 0), counts, 100, costs);
  EXPECT_EQ(plan.chosen().cost, 24);
  counts.add(cell("en", 3), 1);
  EXPECT_EQ(make_plan(filter_of({}, 0b10001), counts, 100, costs).lossless().cost, 32);
}

TEST(Plan, EachPartOfAListIsReadAndBilledLikeAList) {
  Counts counts = counts_of({{"en", {30, 0, 0, 40, 80}}});
  counts.parts = {1, 1, 4, 1};
  CostModel costs{.per_list = 0, .per_entry = {1, 1, 1, 1}, .step = 8};
  // 24 rows: 8 of one list, 16 of the other; 2 and 4 of each part, and one more for the merge. That
  // is one step of each of the eight parts.
  Choice choice = make_plan(filter_of({}, 0b11000), counts, 24, costs).lossless();
  EXPECT_EQ(choice.reads(), 8u);
  EXPECT_EQ(choice.entries, 4 * 3 + 4 * 5);
  EXPECT_EQ(choice.cost, 64);
}

TEST(Plan, AtEqualCostTheFinerIndexWins) {
  CostModel free{.per_list = 0, .per_entry = {}, .step = 0};
  Plan plan = make_plan(filter_of({"en"}, 1), typical_counts(), 21, free);
  EXPECT_EQ(plan.chosen().index->name, "byLangAndRating");
}

TEST(Plan, ListsThatTheStoreLacksComeLast) {
  CostModel costs{.per_list = 0.01, .per_entry = {0.1, 0.1, no_such_list, no_such_list}, .step = 1};
  Counts unknown;
  unknown.exact = false;
  auto filter = filter_of({"en"}, 0b10000);
  for (const auto& counts : {unknown, typical_counts()}) {
    Plan plan = make_plan(filter, counts, 21, costs);
    EXPECT_EQ(plan.chosen().index->name, "byLang");
    EXPECT_TRUE(plan.lossless().absent);
    EXPECT_EQ(summary(plan).find("Rating: "), std::string::npos) << summary(plan);
  }
  Plan lossless = make_plan(filter_of({"en"}, 0), unknown, 21, costs);
  EXPECT_EQ(lossless.chosen().index->name, "byLang");
  EXPECT_FALSE(lossless.chosen().drops());
}

TEST(Plan, TheListsOfRatingsStandForThatOfAllCommentsWhereItIsAbsent) {
  CostModel costs = cost_models[1].costs;
  costs.per_entry[0] = no_such_list;
  Plan plan = make_plan(filter_of({}, 0), typical_counts(), 21, costs);
  EXPECT_EQ(plan.chosen().index->name, "byRating");
  EXPECT_EQ(plan.chosen().lists.size() + plan.chosen().skipped.size(), 5u);
  EXPECT_FALSE(plan.chosen().drops());
  EXPECT_EQ(plan.matches, typical_counts().total());
  Plan narrow = make_plan(filter_of({"en"}, 0), typical_counts(), 21, costs);
  EXPECT_EQ(narrow.chosen().index->name, "byLang") << "one list is cheaper than five";
  costs.per_entry[2] = no_such_list;
  EXPECT_TRUE(make_plan(filter_of({}, 0), typical_counts(), 21, costs).chosen().absent);
}

TEST(Summary, NamesTheListsTheResidualAndTheOtherChoices) {
  Counts counts = counts_of({{"en", {10, 0, 0, 0, 1000}}, {"de", {10, 0, 0, 0, 0}}});
  Plan plan = make_plan(filter_of({"en"}, 0b10010), counts, 21, cost_models[0].costs);
  EXPECT_EQ(summary(plan),
            "all: 1 list, keep rating 2 5, 22 entries, cost 3.2 | "
            "beat byRating: 1 list 5, 1 empty, 21 entries, cost 10.1");
}

}  // namespace
}  // namespace quire
