// Listings of lists: numbered by an index beside the store, or not.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include "listing/listing_contract.h"
#include "listing/lists/maker.h"
#include "listing/lying_store.h"
#include "listing/plain_index.h"
#include "plan/plan.h"
#include "store/support.h"

namespace quire::lists {
namespace {

using Kind = Numbers::Kind;

struct Lists : ListingBackend {
  explicit Lists(Lie lie = half_forgotten) : lying(std::move(lie)) { kind = Kind::none; }
  Store& store() override { return lying; }
  std::unique_ptr<ListingMaker> maker() override { return listings_of(lying); }

  LyingStore lying;
};

struct ListsInParts : Lists {
  ListsInParts() : Lists(in_parts) {}
};

struct ListsWithIndex : Lists {
  explicit ListsWithIndex(Lie lie = half_forgotten) : Lists(std::move(lie)) {
    kind = Kind::of_index;
  }
  std::unique_ptr<ListingMaker> maker() override { return listings_of(lying, {.index = &index}); }
  void add(const Comment& comment) override { index.add(comment); }

  PlainIndex index;
};

struct ListsInPartsWithIndex : ListsWithIndex {
  ListsInPartsWithIndex() : ListsWithIndex(in_parts) {}
};

template <class Backend>
std::unique_ptr<ListingBackend> make() {
  return std::make_unique<Backend>();
}

// Calls each second list empty, and may be believed.
Counts trusted_too_much(const Counts& counts) {
  Counts out = half_forgotten(counts);
  out.trusted_age_ms = 1000;
  return out;
}

struct ListsSkipped : ListsWithIndex {
  ListsSkipped() : ListsWithIndex(trusted_too_much) {}
};

class ListingOfLists : public ListingContract {};

TEST_P(ListingOfLists, ExplainsItsLastReading) {
  World world = open({.product = "42", .ratings = {1, 2}, .limit = 5, .sort = Sort::lowest});
  Rows rows = read(world, {}, Direction::forward);
  Explanation explanation = world.listing->explanation();
  EXPECT_EQ(explanation.read, rows.read);
  EXPECT_EQ(explanation.requests, rows.requests);
  EXPECT_EQ(explanation.discarded, rows.read - rows.entries.size());
  EXPECT_NE(explanation.summary.find("byRating: 1 list 1"), std::string::npos)
      << explanation.summary;
  if (kind() == Kind::none) return;
  read(world, at(world, 6), Direction::forward);
  EXPECT_NE(world.listing->explanation().summary.find("; row 7 found by the page index"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, ListingOfLists,
                         testing::Values(make<Lists>, make<ListsInParts>, make<ListsWithIndex>,
                                         make<ListsInPartsWithIndex>));

class ListingOfSkippedLists : public ListingContract {};

// The index may know comments of lists that are not read.
TEST_P(ListingOfSkippedLists, NumbersTakeTheListsIn) {
  std::size_t skipped = 0;
  for (Sort sort : sorts) {
    World world = open({.product = "42",
                        .languages = {"de", "en", "und"},
                        .ratings = {1, 3, 4},
                        .limit = 5,
                        .sort = sort});
    EXPECT_EQ(world.listing->total(), world.all.size());
    for (std::size_t n = 0; n < world.all.size(); ++n) {
      auto position = at(world, n);
      ASSERT_TRUE(position);
      EXPECT_EQ(rank(world, position), n);
      EXPECT_EQ(rank(world, position_of(world.all[n], world.query)), n);
    }
    read(world, {}, Direction::forward);
    skipped += world.listing->explanation().skipped.size();
  }
  EXPECT_GT(skipped, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, ListingOfSkippedLists, testing::Values(make<ListsSkipped>));

// A table with the list of all comments alone.
class OneList : public LyingStore {
 public:
  OneList() : LyingStore(none) {}
  CostModel costs() const override {
    return {0.01, {0.07, no_such_list, no_such_list, no_such_list}, 0.5};
  }
};

// It passes over so many comments that a page ends before it is full.
TEST(ListingOfOneList, HasAWayBackFromAPageThatFindsNothing) {
  OneList store;
  std::vector<Comment> comments{comment_at(100'000, 0, "en", 1)};
  for (std::uint64_t i = 1; i < 7000; ++i) comments.push_back(comment_at(1000 + i, i, "en", 5));
  ASSERT_TRUE(wait(store.insert_many(comments)));
  auto view = store.view();
  auto filter = make_filter({.product = "42", .ratings = {1}}, Schema()).value();
  auto counts = wait(view->counts("42")).value();
  auto maker = listings_of(store);
  std::optional<Position> from;
  for (int page = 0; page < 3; ++page) {
    auto listing = wait(maker->open(*view, filter, {}, counts, {5})).value();
    auto rows = wait(listing->read(from, Direction::forward)).value();
    EXPECT_EQ(rows.entries.size(), page == 0 ? 1u : 0u);
    EXPECT_EQ(rows.previous.has_value(), page > 0) << page;
    ASSERT_TRUE(rows.next) << page;
    from = rows.next;
  }
}

// An index beside the store that fails in the middle of a request.
class ListingOfAFailingIndex : public ListingContract {
 protected:
  ListingOfAFailingIndex() { spdlog::set_level(spdlog::level::off); }
  ~ListingOfAFailingIndex() override { spdlog::set_level(spdlog::level::info); }

  PlainIndex& index() { return static_cast<ListsWithIndex&>(*backend_).index; }
};

TEST_P(ListingOfAFailingIndex, HasNoNumbersFromThenOn) {
  const std::string why = "The page index cannot answer for this product now.";
  Query query{.product = "42", .limit = 7, .sort = Sort::highest};
  for (bool of_number : {true, false}) {
    World world = open(query);
    auto total = world.listing->total();
    index().fails = [](int) { return true; };
    bool answered = of_number ? at(world, 10).has_value()
                              : rank(world, position_of(world.all[10], query)).has_value();
    EXPECT_FALSE(answered);
    index().fails = {};
    EXPECT_EQ(world.listing->numbers().kind, Kind::none);
    EXPECT_EQ(world.listing->numbers().missing, why);
    EXPECT_FALSE(at(world, 10));
    EXPECT_FALSE(rank(world, position_of(world.all[10], query)));
    EXPECT_EQ(world.listing->total(), total);
    expect_rows(world, read(world, {}, Direction::forward), 0, 7);
    EXPECT_EQ(wait(maker_->index_status())->missing, "") << "other products have numbers";
  }
  // The index is asked how it stands, and does not follow.
  index().said.phase = change::Phase::building;
  maker_ = backend_->maker();
  World world = open(query);
  EXPECT_EQ(world.listing->numbers().missing, "The page index is being built.");
  EXPECT_EQ(wait(maker_->index_status())->missing, "The page index is being built.");
}

// Beyond the last comment, the index is asked whether it was lost.
TEST_P(ListingOfAFailingIndex, DoesNotTakeALostIndexForTheEnd) {
  World world = open({.product = "42"});
  EXPECT_FALSE(at(world, 1000));
  EXPECT_EQ(world.listing->numbers().kind, Kind::of_index);
  index().said = {};
  EXPECT_FALSE(at(world, 1000));
  EXPECT_EQ(world.listing->numbers().missing, "The page index is empty: run quire backfill.");
}

INSTANTIATE_TEST_SUITE_P(All, ListingOfAFailingIndex, testing::Values(make<ListsWithIndex>));

}  // namespace
}  // namespace quire::lists

namespace quire {
INSTANTIATE_TEST_SUITE_P(OfLists, ListingContract,
                         testing::Values(lists::make<lists::Lists>,
                                         lists::make<lists::ListsWithIndex>));
}  // namespace quire
