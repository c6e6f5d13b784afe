// Listings of a store of lists beside an index that holds facets: any filter and sort, with the
// numbers of the index.
#include <gtest/gtest.h>

#include "base/clock.h"
#include "listing/bitmap/indexed.h"
#include "listing/listing_contract.h"
#include "listing/lists/maker.h"
#include "listing/plain_store.h"
#include "page_index/lmdb/index.h"
#include "temporary_directory.h"

namespace quire {

namespace {

using page_index::LmdbIndex;

change::Values values_of(const Comment& comment) {
  return {cell(comment.language, comment.rating), comment.attributes};
}

struct BesideAnIndex : ListingBackend {
  BesideAnIndex() {
    kind = Numbers::Kind::of_index;
    facets = 6;
  }
  Store& store() override { return plain; }
  std::unique_ptr<ListingMaker> maker() override {
    return bitmap::listings_with(lists::listings_of(plain, {.index = index.get()}), *index);
  }
  void add(const Comment& comment) override {
    if (wait(index->state())->phase != change::Phase::following) begin(schema());
    EXPECT_TRUE(wait(index->put({{comment.product, comment.id, {}, values_of(comment)}})));
  }

  Schema schema() { return *wait(plain.view()->schema()).value(); }
  // The index is empty then, and holds these facets.
  void begin(const Schema& schema) {
    change::State state{change::Phase::following, "e", "arn", {}, schema};
    state.marks["s"] = {"1", false, system_ms()};
    EXPECT_TRUE(wait(index->reset(state)));
  }

  PlainStore plain;
  TemporaryDirectory directory;
  std::unique_ptr<LmdbIndex> index = LmdbIndex::open(directory.path(), Access::write).value();
};

std::unique_ptr<ListingBackend> beside_an_index() {
  return std::make_unique<BesideAnIndex>();
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

TEST_F(Behind, AnIndexThatIsNotBuiltNumbersNothing) {
  in_store({comment(1, true), comment(2, false)});
  auto listing = open(verified()).value();
  EXPECT_EQ(listing->numbers().kind, Numbers::Kind::none);
  EXPECT_FALSE(listing->numbers().missing.empty());
  EXPECT_EQ(ids(*listing), std::vector{comment(1, true).id});
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(BesideAnIndex, ListingContract, testing::Values(beside_an_index));

}  // namespace quire
