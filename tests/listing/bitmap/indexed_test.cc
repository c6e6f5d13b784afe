// Listings of a store of lists beside an index that holds facets: any filter and sort, with the
// numbers of the index.
#include <gtest/gtest.h>

#include "base/clock.h"
#include "listing/bitmap/indexed.h"
#include "listing/bitmap/watched_index.h"
#include "listing/listing_contract.h"
#include "listing/lists/maker.h"
#include "listing/plain_store.h"
#include "page_index/lmdb/index.h"
#include "temporary_directory.h"

namespace quire {

namespace {

using page_index::LmdbIndex;

change::IndexedValues values_of(const Comment& comment) {
  return change::IndexedValues(comment);
}

// As in a table, a document is found by its id alone, for half a unit.
class StoreById : public PlainStore {
 public:
  std::function<void()> at_documents = [] {};  // called when documents are asked for
  std::size_t by_id = 0;                       // documents that were

  CostModel costs() const override { return {0.01, {0.07, 0.07, 0.07, 0.07}, 0.5, 0.5}; }
  std::unique_ptr<View> view() override { return std::make_unique<ViewById>(*this); }

 private:
  class ViewById : public PlainView {
   public:
    explicit ViewById(StoreById& store) : PlainView(store.state()), store_(store) {}

    Awaitable<Status> documents(std::string_view, std::span<Entry> entries) override {
      store_.at_documents();
      for (auto& entry : entries) {
        if (!entry.document.empty()) continue;
        ++store_.by_id;
        auto found = co_await get(entry.id);
        if (found) entry.document = *found;
      }
      co_return Done{};
    }

   private:
    StoreById& store_;
  };
};

struct BesideAnIndex : ListingBackend {
  explicit BesideAnIndex(bool with_words = false) {
    kind = Numbers::Kind::of_index;
    facets = 6;
    words = with_words;
    if (!words) return;
    EXPECT_TRUE(wait(index->want_words()));
  }
  Store& store() override { return plain; }
  std::unique_ptr<ListingMaker> maker() override {
    return bitmap::listings_with(lists::listings_of(plain, {.index = &watched}), watched, plain);
  }
  void add(const Comment& comment) override {
    if (wait(index->state())->phase != change::Phase::following) begin(schema());
    EXPECT_TRUE(wait(index->put({{comment.product, comment.id, {}, values_of(comment)}})));
  }

  Schema schema() { return *wait(plain.view()->schema()).value(); }
  // The index is empty then, and holds these facets.
  void begin(const Schema& schema, change::Phase phase = change::Phase::following) {
    change::State state{phase, "e", "arn", {}, schema};
    state.marks["s"] = {"1", false, system_ms()};
    EXPECT_TRUE(wait(index->reset(state)));
  }

  StoreById plain;
  TemporaryDirectory directory;
  std::unique_ptr<LmdbIndex> index = LmdbIndex::open(directory.path(), Access::write).value();
  WatchedIndex watched{*index};
};

std::unique_ptr<ListingBackend> beside_an_index() {
  return std::make_unique<BesideAnIndex>();
}
std::unique_ptr<ListingBackend> beside_words() {
  return std::make_unique<BesideAnIndex>(true);
}

// A store with a declared facet, and comments of which the index has other states.
class Behind : public testing::Test {
 protected:
  Behind() {
    EXPECT_TRUE(wait(world_.plain.declare({"verified", FacetType::flag})));
    EXPECT_TRUE(wait(world_.plain.declare({"votes", FacetType::number})));
  }

  Comment comment(std::uint64_t number, bool verified) {
    return {.id = Ulid::make(1'700'000'000'000 + number, {}),
            .product = "42",
            .language = "en",
            .rating = 5,
            .attributes = {{"verified", verified}, {"votes", static_cast<std::int64_t>(number)}}};
  }
  void in_store(std::vector<Comment> comments) {
    ASSERT_TRUE(wait(world_.plain.insert_many(std::move(comments))));
  }

  Result<std::unique_ptr<Listing>> open(const Query& query) {
    view_ = world_.plain.view();
    auto schema = wait(view_->schema()).value();
    filter_ = make_filter(query, *schema).value();
    SortBy sort{query.sort};
    if (sort.by_value()) sort.by = sort_facet(query, *schema).value();
    auto counts = wait(view_->counts("42")).value();
    maker_ = world_.maker();
    return wait(maker_->open(*view_, filter_, sort, counts, {query.limit}));
  }
  static Query verified() {
    Query query{.product = "42"};
    query.facets.push_back({.facet = "verified", .any_of = {"true"}});
    return query;
  }
  static std::vector<Ulid> ids(Listing& listing) {
    std::vector<Ulid> ids;
    auto rows = wait(listing.read({}, Direction::forward)).value();
    for (const auto& row : rows.entries) ids.push_back(row.id);
    return ids;
  }

  BesideAnIndex world_;
  std::unique_ptr<View> view_;
  Filter filter_;
  std::unique_ptr<ListingMaker> maker_;
};

TEST_F(Behind, CommentsThatAreGoneOrNoLongerMatchAreLeftOut) {
  for (std::uint64_t i = 1; i <= 4; ++i) world_.add(comment(i, true));
  in_store({comment(1, true), comment(2, false), comment(4, true)});
  auto listing = open(verified()).value();
  EXPECT_EQ(listing->total(), 4u);
  EXPECT_EQ(ids(*listing), (std::vector{comment(4, true).id, comment(1, true).id}));
  EXPECT_EQ(listing->explanation().index, "bitmap");
}

TEST_F(Behind, AnIndexThatGrowsBetweenAPageAndItsNumberIsNotDamaged) {
  in_store({comment(1, true), comment(2, true)});
  for (std::uint64_t i = 1; i <= 2; ++i) world_.add(comment(i, true));
  auto listing = open(verified()).value();
  EXPECT_EQ(ids(*listing).size(), 2u);
  world_.add(comment(3, true));
  auto rank = wait(listing->rank(Position{comment(0, true).id}));
  ASSERT_TRUE(rank) << rank.error().message;
  EXPECT_EQ(*rank, 3u);
}

TEST_F(Behind, AProductThatLeavesTheIndexBetweenAPageAndItsNumberHasRankZero) {
  in_store({comment(1, true)});
  world_.add(comment(1, true));
  auto listing = open(verified()).value();
  EXPECT_EQ(ids(*listing).size(), 1u);
  auto removed = values_of(comment(1, true));
  std::vector<change::Change> changes{{"42", comment(1, true).id, removed, {}}};
  ASSERT_TRUE(wait(world_.index->put(std::move(changes))));
  EXPECT_EQ(wait(listing->rank(Position{comment(2, true).id})).value(), 0u);
  EXPECT_EQ(wait(listing->at(0)).value(), std::nullopt);
}

TEST_F(Behind, AFacetThatTheIndexLacksIsReadFromListsWithoutNumbers) {
  world_.begin({});
  for (std::uint64_t i = 1; i <= 4; ++i) world_.add(comment(i, i % 2 == 0));
  in_store({comment(1, false), comment(2, true), comment(3, false), comment(4, true)});
  auto listing = open(verified()).value();
  EXPECT_EQ(listing->numbers().kind, Numbers::Kind::none);
  EXPECT_EQ(listing->numbers().missing,
            "The page index does not hold the facet verified yet. Run quire backfill, which builds "
            "the index anew.");
  EXPECT_EQ(listing->total(), std::nullopt);
  EXPECT_EQ(ids(*listing), (std::vector{comment(4, true).id, comment(2, true).id}));
  auto sorted = verified();
  sorted.sort = Sort::highest;
  sorted.sort_facet = "votes";
  auto refused = open(sorted);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
}

// Lists cannot answer for the index.
TEST_F(Behind, WordsNeedAnIndexThatHasThem) {
  in_store({comment(1, true)});
  world_.add(comment(1, true));
  const Query query{.product = "42", .words = "fits"};
  auto refused = open(query).error();
  EXPECT_EQ(refused.code, ErrorCode::invalid_parameter);
  EXPECT_EQ(refused.parameter, "q");
  EXPECT_NE(refused.message.find("quire words add"), std::string::npos);
  ASSERT_TRUE(wait(world_.index->want_words()));
  EXPECT_EQ(open(query).error().code, ErrorCode::facet_building);
  world_.begin(world_.schema());
  auto listing = open(query);
  ASSERT_TRUE(listing);
  EXPECT_EQ((*listing)->total(), 0u);
  world_.begin(world_.schema(), change::Phase::building);
  EXPECT_EQ(open(query).error().code, ErrorCode::unavailable);
  EXPECT_TRUE(open({.product = "42"})) << "lists answer";
}

TEST_F(Behind, FacetsAreCountedByTheIndexThoughListsAreRead) {
  world_.begin(Schema({{2, {{"verified", FacetType::flag}}}}));
  for (std::uint64_t i = 1; i <= 5; ++i) world_.add(comment(i, i % 2 == 0));
  in_store({comment(1, false), comment(2, true)});
  auto listing = open({.product = "42"}).value();
  EXPECT_NE(listing->explanation().index, "bitmap");
  auto schema = world_.schema();
  auto counted = wait(listing->counts(schema.facets(), Under::other_facets)).value();
  ASSERT_EQ(counted.facets.size(), 3u) << "language, rating and the flag";
  EXPECT_EQ(counted.facets[2].facet, "verified");
  EXPECT_EQ(counted.facets[2].values,
            (std::vector<std::pair<std::string, std::uint64_t>>{{"false", 3}, {"true", 2}}));
  EXPECT_NE(counted.missing.find("does not hold the facet votes yet"), std::string::npos);
}

// A facet that was dropped and declared again has another number, type or list of values.
TEST_F(Behind, AFacetThatIsNowAnotherIsReadFromListsAndNotCounted) {
  in_store({comment(1, true)});
  for (const Facet& other : {Facet{"verified", FacetType::choice}, Facet{"bought", FacetType::flag},
                             Facet{"verified", FacetType::choice, {"true", "false"}}}) {
    world_.begin(Schema({{2, {other}}, {3, {{"votes", FacetType::number}}}}));
    world_.add(comment(1, true));
    auto listing = open(verified()).value();
    EXPECT_EQ(ids(*listing), std::vector{comment(1, true).id});
    EXPECT_NE(listing->numbers().missing.find("not hold the facet verified"), std::string::npos);
    auto counted = wait(
        open({.product = "42"}).value()->counts(world_.schema().facets(), Under::other_facets));
    ASSERT_EQ(counted->facets.size(), 3u) << "language, rating and the votes";
    EXPECT_NE(counted->missing.find("not hold the facet verified"), std::string::npos);
  }
}

TEST_F(Behind, AnIndexThatIsBeingBuiltCountsNothing) {
  in_store({comment(1, true), comment(2, false)});
  world_.begin(world_.schema(), change::Phase::building);
  EXPECT_TRUE(
      wait(world_.index->put({{"42", comment(1, true).id, {}, values_of(comment(1, true))}})));
  auto listing = open({.product = "42"}).value();
  auto counted = wait(listing->counts(world_.schema().facets(), Under::other_facets)).value();
  ASSERT_EQ(counted.facets.size(), 2u) << "lists count languages and ratings";
  EXPECT_EQ(counted.facets[0].comments, 2u);
  EXPECT_EQ(counted.missing, "The page index is being built.");
  auto filtered = open(verified()).value();
  counted = wait(filtered->counts(world_.schema().facets(), Under::other_facets)).value();
  EXPECT_EQ(counted.facets.size(), 0u);
  EXPECT_EQ(counted.missing, "The page index is being built.");
}

// The health of the index is known for a second; that it is built anew shows in its state.
TEST_F(Behind, AnIndexThatBeginsAnewGivesNoPage) {
  in_store({comment(1, true), comment(2, true)});
  world_.add(comment(1, true));
  world_.add(comment(2, true));
  auto listing = open(verified()).value();
  world_.begin(world_.schema(), change::Phase::building);
  auto maker = std::exchange(maker_, nullptr);
  EXPECT_EQ(listing->total(), 2u);
  auto again = wait(maker->open(*view_, filter_, {}, wait(view_->counts("42")).value(), {20}));
  EXPECT_EQ((*again)->numbers().missing, "The page index does not follow the table now.");
  EXPECT_EQ(ids(**again).size(), 2u);
}

TEST_F(Behind, ACommentOfAnotherProductIsLeftOut) {
  for (std::uint64_t i = 1; i <= 2; ++i) world_.add(comment(i, true));
  auto elsewhere = comment(1, true);
  elsewhere.product = "43";
  in_store({elsewhere, comment(2, true)});
  EXPECT_EQ(ids(*open(verified()).value()), std::vector{comment(2, true).id});
}

TEST_F(Behind, NoStateOfTheIndexIsHeldWhileDocumentsAreFetched) {
  for (std::uint64_t i = 1; i <= 4; ++i) world_.add(comment(i, true));
  in_store({comment(1, true), comment(2, true), comment(3, true), comment(4, true)});
  int fetched = 0;
  world_.plain.at_documents = [&] {
    ++fetched;
    EXPECT_EQ(world_.watched.open, 0);
  };
  auto query = verified();
  query.limit = 2;
  auto listing = open(query).value();
  auto position = wait(listing->at(1)).value();
  EXPECT_EQ(world_.watched.open, 1);
  auto rows = wait(listing->read(position, Direction::forward)).value();
  EXPECT_EQ(wait(listing->rank(rows.first)).value(), 1u);
  auto counted = wait(listing->counts(world_.schema().facets(), Under::other_facets)).value();
  EXPECT_EQ(counted.facets[2].comments, 4u);
  EXPECT_EQ(world_.watched.open, 0);
  wait(listing->read(rows.next, Direction::forward)).value();
  EXPECT_EQ(fetched, 2);
  EXPECT_GT(listing->explanation().blocks + listing->explanation().blocks_skipped, 0u);
}

TEST_F(Behind, DocumentsThatLieCloseTogetherAreReadFromAList) {
  std::vector<Comment> all;
  for (std::uint64_t i = 1; i <= 400; ++i) all.push_back(comment(i, i <= 40 || i % 20 == 0));
  std::vector<change::Change> changes;
  for (const auto& each : all) changes.push_back({"42", each.id, {}, values_of(each)});
  world_.begin(world_.schema());
  ASSERT_TRUE(wait(world_.index->put(changes)));
  std::erase_if(all, [&](const Comment& each) { return each.id == comment(30, true).id; });
  in_store(all);
  auto query = verified();
  auto sparse = open(query).value();
  EXPECT_EQ(ids(*sparse).size(), 20u);
  EXPECT_EQ(world_.plain.by_id, 20u);
  auto plan = sparse->explanation();
  EXPECT_NE(plan.summary.find(", documents 20 by id, cost 10.0"), std::string::npos);
  ASSERT_EQ(plan.alternatives.size(), 1u);
  EXPECT_EQ(plan.alternatives[0].summary, "documents from PRODUCT#42, 362 entries, cost 25.5");

  query.sort = Sort::oldest;
  auto dense = open(query).value();
  auto rows = wait(dense->read({}, Direction::forward)).value();
  rows = wait(dense->read(rows.next, Direction::forward)).value();
  EXPECT_EQ(rows.entries.size(), 19u) << "a comment is gone";
  EXPECT_EQ(rows.damaged, 1u);
  EXPECT_EQ(world_.plain.by_id, 20u + 1) << "only the one that the list lacks";
  plan = dense->explanation();
  EXPECT_NE(plan.summary.find(", documents from PRODUCT#42, 20 entries, cost 1.5"),
            std::string::npos);
  EXPECT_EQ(plan.alternatives[0].summary, "documents 20 by id, cost 10.0");
  EXPECT_DOUBLE_EQ(plan.estimated_cost, 1.51);
}

TEST_F(Behind, WhereTheIndexFailsHalfwayListsGiveThePage) {
  for (std::uint64_t i = 1; i <= 3; ++i) world_.add(comment(i, true));
  in_store({comment(1, true), comment(2, true), comment(3, true)});
  auto query = verified();
  query.limit = 1;
  auto listing = open(query).value();
  auto rows = wait(listing->read({}, Direction::forward)).value();
  world_.watched.fails_after = world_.watched.opened;
  rows = wait(listing->read(rows.next, Direction::forward)).value();
  ASSERT_EQ(rows.entries.size(), 1u);
  EXPECT_EQ(rows.entries[0].id, comment(2, true).id);
  EXPECT_EQ(listing->numbers().kind, Numbers::Kind::none);
  EXPECT_EQ(listing->numbers().missing, "The page index cannot be asked now.");
  auto counted = wait(listing->counts(world_.schema().facets(), Under::other_facets)).value();
  EXPECT_EQ(counted.missing, "The page index cannot be asked now.");
}

TEST_F(Behind, WhereTheIndexFailsForAProductListsGiveItsPages) {
  world_.add(comment(1, true));
  in_store({comment(1, true)});
  world_.watched.damaged = "42";
  auto listing = open(verified()).value();
  EXPECT_EQ(listing->numbers().missing, index_fails_for_product);
  EXPECT_EQ(ids(*listing), std::vector{comment(1, true).id});
  EXPECT_EQ(wait(maker_->index_status())->missing, "");
}

TEST_F(Behind, WhereTheIndexFailsHalfwayNoListIsSortedByAFacet) {
  for (std::uint64_t i = 1; i <= 3; ++i) world_.add(comment(i, true));
  in_store({comment(1, true), comment(2, true), comment(3, true)});
  auto query = verified();
  query.limit = 1;
  query.sort = Sort::highest;
  query.sort_facet = "votes";
  auto listing = open(query).value();
  auto rows = wait(listing->read({}, Direction::forward)).value();
  world_.watched.fails_after = world_.watched.opened;
  auto failed = wait(listing->read(rows.next, Direction::forward));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::unavailable);
  auto counted = wait(listing->counts(world_.schema().facets(), Under::other_facets)).value();
  EXPECT_EQ(counted.missing, "The page index cannot be asked now.");
}

TEST_F(Behind, AnIndexThatIsNotBuiltNumbersNothing) {
  in_store({comment(1, true), comment(2, false)});
  auto listing = open(verified()).value();
  EXPECT_EQ(listing->numbers().kind, Numbers::Kind::none);
  EXPECT_FALSE(listing->numbers().missing.empty());
  EXPECT_EQ(ids(*listing), std::vector{comment(1, true).id});
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(BesideAnIndex, ListingContract,
                         testing::Values(beside_an_index, beside_words));

}  // namespace quire
