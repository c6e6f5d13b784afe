// Where the facets of a store cannot be read, requests that need language and rating alone go on.
#include <gtest/gtest.h>

#include "base/clock.h"
#include "listing/lists/maker.h"
#include "listing/plain_store.h"
#include "loop/loop.h"
#include "service/comments.h"

namespace quire {
namespace {

class StoreOfDamagedFacets : public PlainStore {
 public:
  std::unique_ptr<View> view() override { return std::make_unique<Damaged>(state()); }

 private:
  struct Damaged : PlainView {
    using PlainView::PlainView;
    Awaitable<Result<std::shared_ptr<const Schema>>> schema() override {
      co_return Error{ErrorCode::damaged, "The item is damaged."};
    }
  };
};

class DamagedFacets : public testing::Test {
 protected:
  DamagedFacets() { EXPECT_TRUE(wait(store_.insert(comment_, {}))); }

  Comment comment_{
      .id = Ulid::make(1'700'000'000'000, {}), .product = "42", .language = "en", .rating = 5};
  StoreOfDamagedFacets store_;
  Comments comments_{store_, lists::listings_of(store_, {}), Seal({Seal::Key{1, 2, 3}})};
};

TEST_F(DamagedFacets, PagesByLanguageAndRatingGoOn) {
  Query query{.product = "42", .languages = {"en"}, .ratings = {5}, .limit = 7};
  for (Sort sort : {Sort::newest, Sort::highest}) {
    query.sort = sort;
    auto page = wait(comments_.page(query));
    ASSERT_TRUE(page);
    EXPECT_EQ(page->rows.size(), 1u);
    EXPECT_EQ(wait(comments_.statistics(query))->ratings[4], 1u);
  }
}

TEST_F(DamagedFacets, WhateverNeedsThemSaysThatTheyAreDamaged) {
  Query filtered{.product = "42", .limit = 7}, sorted = filtered;
  filtered.facets.push_back({.facet = "size", .any_of = {"L"}});
  sorted.sort = Sort::highest;
  sorted.sort_facet = "votes";
  for (const Query& query : {filtered, sorted}) {
    auto refused = wait(comments_.page(query));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "The item is damaged.");
  }
  EXPECT_FALSE(wait(comments_.statistics(filtered)));
  EXPECT_FALSE(wait(comments_.facets()));
  Draft draft{.product = "42", .language = "en", .rating = 5, .attributes = {{"size", "L"}}};
  EXPECT_FALSE(wait(comments_.post(draft, {})));
}

}  // namespace
}  // namespace quire
