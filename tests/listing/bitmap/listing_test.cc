// Listings over a bitmap index, with exact numbers or without.
#include <gtest/gtest.h>

#include "listing/bitmap/indexed.h"
#include "listing/bitmap/indexed_store.h"
#include "listing/listing_contract.h"

namespace quire {

namespace {

struct Numbered : ListingBackend {
  Numbered() { facets = 6; }
  Store& store() override { return indexed; }
  std::unique_ptr<ListingMaker> maker() override { return bitmap::listings(); }

  IndexedStore indexed;
};

struct Unnumbered : Numbered {
  Unnumbered() { kind = Numbers::Kind::none; }
  std::unique_ptr<ListingMaker> maker() override { return bitmap::listings(false); }
};

template <class Backend>
std::unique_ptr<ListingBackend> make() {
  return std::make_unique<Backend>();
}

class ListingOverBitmaps : public ListingContract {
 protected:
  IndexedStore& indexed() { return static_cast<Numbered&>(*backend_).indexed; }
};

// A comment whose document is damaged or missing is left out, and keeps its position and its
// number.
TEST_P(ListingOverBitmaps, CountsCommentsThatCannotBeShownAndLeavesThemOut) {
  for (int round = 0; round < 40; ++round) {
    Query query = random_query(sorts[round % 4]);
    query.product = "42";
    query.limit = 5;
    World world = open(query);
    if (world.all.size() < 10) continue;
    auto first = below(world.all.size() - 5);
    indexed().damage(world.all[first].id);
    indexed().lose(world.all[first + 2].id);
    world = open(query);
    Rows rows = read(world, at(world, first), Direction::forward);
    EXPECT_EQ(world.listing->total(), world.all.size());
    EXPECT_EQ(rows.damaged, 2u);
    ASSERT_EQ(rows.entries.size(), 3u);
    EXPECT_EQ(rows.entries[0].id, world.all[first + 1].id);
    EXPECT_EQ(rows.first, position_of(world.all[first], query));
    EXPECT_EQ(rank(world, rows.first), first);
    return;
  }
  FAIL() << "no query had ten matches";
}

TEST_P(ListingOverBitmaps, ExplainsItsLastReading) {
  auto explained = [&](const Query& query, bool in_the_middle) {
    World world = open(query);
    auto from = in_the_middle ? at(world, world.all.size() / 2) : std::nullopt;
    Rows rows = read(world, from, Direction::forward);
    auto plan = world.listing->explanation();
    EXPECT_EQ(plan.index, "bitmap");
    EXPECT_EQ(plan.read, rows.read);
    EXPECT_EQ(plan.discarded, rows.read - rows.entries.size());
    EXPECT_FALSE(plan.residual);
    EXPECT_TRUE(plan.start.empty() && plan.alternatives.empty());
    return plan;
  };
  Query query{.product = "42"};
  EXPECT_EQ(explained(query, false).summary, "bitmap: every comment, read in order of time");
  EXPECT_EQ(explained(query, true).summary, "bitmap: every comment, read in order of time");
  query.languages = {"en", "de"};
  query.facets = {{.facet = "rating", .none_of = {"3"}}};
  auto plan = explained(query, true);
  EXPECT_EQ(plan.lists, (std::vector<std::string>{"language de en", "rating 1 2 4 5"}));
  EXPECT_GT(plan.blocks, 0u);
  EXPECT_EQ(plan.summary.find("bitmap: language de en, rating 1 2 4 5, "), 0u);
  EXPECT_FALSE(plan.totals_kept);
  EXPECT_TRUE(explained(query, true).totals_kept);
  query.ratings = {3};
  EXPECT_EQ(explained(query, false).summary,
            "bitmap: language de en, 0 blocks looked at, 0 skipped");
}

// The ranks of edges of earlier pages are kept between listings.
TEST_P(ListingOverBitmaps, NumbersPagesBesideEarlierPagesWhileCommentsComeAndGo) {
  std::vector<Position> edges;
  for (int round = 0; round < rounds(600); ++round) {
    Query query{.product = "42", .limit = 1 + below(9), .sort = sorts[below(2)]};
    if (below(4) == 0) {
      auto all = model_.comments(query);
      if (below(2) == 0) {
        auto added = random_.comment();
        model_.insert(added);
        EXPECT_TRUE(wait(store().insert(added, {})));
      } else if (!all.empty()) {
        auto id = all[below(all.size())].id;
        model_.remove(id);
        EXPECT_TRUE(wait(store().remove(id, {})));
      }
    }
    World world = open(query);
    std::optional<Position> from;
    if (!edges.empty() && below(8)) from = edges[below(edges.size())];
    auto rows = read(world, from, below(2) ? Direction::forward : Direction::backward);
    if (rows.entries.empty()) continue;
    std::size_t first = 0;
    while (world.all[first].id != rows.entries[0].id) ++first;
    ASSERT_EQ(rank(world, rows.first), first);
    if (edges.size() >= 12) edges.erase(edges.begin());
    for (const auto& edge : {rows.previous, rows.next}) {
      if (edge) edges.push_back(*edge);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OverBitmaps, ListingOverBitmaps, testing::Values(make<Numbered>));

}  // namespace

INSTANTIATE_TEST_SUITE_P(OverBitmaps, ListingContract,
                         testing::Values(make<Numbered>, make<Unnumbered>));

}  // namespace quire
