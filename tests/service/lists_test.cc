// Pages of lists: under filters that lists do not know, entry by entry.
#include <gtest/gtest.h>

#include "base/rounds.h"
#include "listing/lists/maker.h"
#include "listing/plain_store.h"
#include "listing/random_facets.h"
#include "loop/loop.h"
#include "model/document.h"
#include "service/comments.h"

namespace quire {
namespace {

class PagesOfLists : public testing::Test {
 protected:
  PagesOfLists() {
    model_.facets = random_.declared();
    for (const auto& facet : model_.facets) EXPECT_TRUE(wait(comments_.declare(facet)));
  }

  void insert(std::vector<Comment> batch) {
    for (const auto& comment : batch) model_.insert(comment);
    ASSERT_TRUE(wait(store_.insert_many(std::move(batch))));
  }
  void insert_random(std::size_t count) {
    std::vector<Comment> batch;
    for (; count > 0; --count) batch.push_back(random_.comment());
    insert(std::move(batch));
  }

  Query random_query() {
    auto query = random_.query();
    query.sort_facet = "rating";
    return query;
  }
  FoundPage page(const Query& query) { return std::move(wait(comments_.page(query))).value(); }
  static std::vector<Ulid> ids(const FoundPage& page) {
    std::vector<Ulid> out;
    for (const auto& row : page.rows) out.push_back(row.id);
    return out;
  }

  // Follows `next` to the end, and gives all comments; then `previous` back, likewise.
  std::vector<Ulid> walk(Query query, std::size_t most_read) {
    std::vector<Ulid> seen, back;
    for (;;) {
      FoundPage at = page(query);
      EXPECT_LE(at.read, most_read);
      EXPECT_LE(at.rows.size(), query.limit);
      for (auto id : ids(at)) seen.push_back(id);
      query.before = at.previous;
      if (!at.next) break;
      query.after = at.next;
      query.before.reset();
    }
    query.after.reset();
    auto last = ids(page(Query{query}));
    while (query.before) {
      FoundPage at = page(query);
      auto some = ids(at);
      back.insert(back.begin(), some.begin(), some.end());
      query.before = at.previous;
    }
    EXPECT_TRUE(std::equal(back.begin(), back.end(), seen.begin())) << "the same, backward";
    return seen;
  }

  RandomFacets random_{20261122, 5};
  PlainModel model_;
  PlainStore store_;
  Comments comments_{store_, lists::listings_of(store_), Seal({Seal::Key{1, 2, 3}})};
};

// A comment may be deleted while its page is read.
TEST_F(PagesOfLists, LeaveOutACommentThatIsGoneSince) {
  insert_random(100);
  Query query{.product = "42", .limit = 5};
  auto all = model_.select(query);
  ASSERT_GT(all.size(), 20u);
  store_.lose(all[7]);
  store_.lose(all[9]);
  all.erase(all.begin() + 9);
  all.erase(all.begin() + 7);
  EXPECT_EQ(walk(query, 100), all);
}

TEST_F(PagesOfLists, UnderAnyFilterGiveEachCommentOnce) {
  insert_random(400);
  for (int round = 0; round < rounds(300); ++round) {
    auto query = random_query();
    EXPECT_EQ(walk(query, 4000), model_.select(query)) << round;
    if (HasFailure()) return;
  }
}

// Of 20,000 comments few match: a page reads so many entries and stops, and the next goes on.
TEST_F(PagesOfLists, UnderARareFilterAreShortAndGoOn) {
  std::vector<Comment> batch;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    batch.push_back(comment_at(1000 + i, i, "en", 1 + static_cast<int>(i % 5)));
    if (i % 5000 == 17) batch.back().attributes["seldom"] = true;
  }
  insert(batch);
  model_.facets.push_back({"seldom", FacetType::flag});
  ASSERT_TRUE(wait(comments_.declare(model_.facets.back())));
  for (auto sort : {Sort::newest, Sort::oldest, Sort::highest}) {
    Query query{.product = "42", .facets = {{.facet = "seldom", .any_of = {"true"}}}, .sort = sort};
    EXPECT_EQ(walk(query, sort == Sort::highest ? 15'000 : 3000), model_.select(query));
  }
}

TEST_F(PagesOfLists, SayWhatTheyDoNotNumberAndCount) {
  insert_random(50);
  const auto& facet = model_.facets[0];
  Query query{.product = "42",
              .facets = {{.facet = facet.name, .none_of = {"true"}}},
              .counts = true,
              .explain = true};
  if (facet.type == FacetType::number) query.facets[0].none_of = {"1"};
  if (!facet.values.empty()) query.facets[0].none_of = {"v0"};
  auto why = "Lists do not know " + facet.name +
             ". An index that holds every facet counts and numbers comments by it: "
             "--pages lmdb:DIR.";
  FoundPage found = page(query);
  EXPECT_FALSE(found.total);
  EXPECT_FALSE(found.number);
  EXPECT_EQ(found.numbers_missing, why);
  EXPECT_TRUE(found.facets.empty());
  EXPECT_EQ(found.facets_missing, why);
  EXPECT_EQ(found.explanation->residual, facet.name + " not " + query.facets[0].none_of[0]);
  EXPECT_EQ(wait(comments_.statistics(query)).error().message, why);
  query.page = 2;
  EXPECT_EQ(wait(comments_.page(query)).error().message,
            "Page numbers are missing. " + why + " Use after and before.");
  query.page.reset();
  query.skip = 3;
  EXPECT_EQ(wait(comments_.page(query)).error().parameter, "skip");
}

TEST_F(PagesOfLists, SayThatExcludedLanguagesAreNotCounted) {
  insert_random(50);
  Query query{.product = "42", .facets = {{.facet = "language", .none_of = {"en"}}}};
  FoundPage found = page(query);
  EXPECT_FALSE(found.total);
  EXPECT_EQ(found.numbers_missing,
            "Lists do not know the exclusion of languages. An index that holds every facet counts "
            "and numbers comments by it: --pages lmdb:DIR.");
}

TEST_F(PagesOfLists, CountLanguagesAndRatings) {
  insert_random(200);
  Query query{.product = "42", .languages = {"en"}, .ratings = {5}, .counts = true};
  FoundPage found = page(query);
  ASSERT_EQ(found.facets.size(), 2u);
  for (const auto& counted : found.facets) {
    std::uint64_t expected = 0;
    for (const auto& comment : model_.all())
      expected += selects(query, model_.facets, comment, counted.facet);
    EXPECT_EQ(counted.comments, expected);
  }
  EXPECT_EQ(found.facets_missing,
            "Lists do not know facet0, facet1, facet2, facet3, facet4. An index that holds every "
            "facet counts and numbers comments by them: --pages lmdb:DIR.");
}

TEST_F(PagesOfLists, AreNotSortedByADeclaredFacet) {
  ASSERT_TRUE(wait(comments_.declare({"votes", FacetType::number})));
  auto refused =
      wait(comments_.page({.product = "42", .sort = Sort::highest, .sort_facet = "votes"}));
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(refused.error().parameter, "sort");
  EXPECT_EQ(refused.error().message,
            "Lists are sorted by time or rating. Sort so, or keep an index that holds every facet: "
            "--pages lmdb:DIR.");
}

TEST_F(PagesOfLists, OfAFilterThatContradictsItselfReadNothing) {
  insert_random(50);
  Query query{.product = "42", .ratings = {5}, .facets = {{.facet = "rating", .none_of = {"5"}}}};
  FoundPage found = page(query);
  EXPECT_TRUE(found.rows.empty() && !found.next && !found.previous);
  EXPECT_EQ(found.read, 0u);
  EXPECT_EQ(found.total, 0u);
}

// A choice that is cheap on average meets a long stretch of entries that it drops: the lossless
// choice takes over.
TEST_F(PagesOfLists, AResidualThatDropsTooMuchChangesThePlan) {
  std::vector<Comment> batch;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    batch.push_back(comment_at(1000 + i, i, "en", i < 10'000 ? (i % 2 ? 5 : 4) : 1));
  }
  insert(batch);
  Query query{.product = "42", .ratings = {4, 5}, .explain = true};
  FoundPage found = page(query);
  EXPECT_EQ(found.explanation->index, "all");
  EXPECT_NE(found.explanation->summary.find("finished by byRating"), std::string::npos)
      << found.explanation->summary;
  EXPECT_LT(found.read, 2'000u);
  query.limit = 100;
  EXPECT_EQ(walk(query, 2'000), model_.select(query));
}

}  // namespace
}  // namespace quire
