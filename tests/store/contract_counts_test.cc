// The counts of a product, and which lists they let a reader pass over.
#include "contract.h"

namespace quire {
namespace {

TEST_P(FollowingContract, CountsFollowEveryWrite) {
  Comment comment = add(comment_at(1000, 1, "en", 5));
  EXPECT_EQ(counts().total(), 1u);
  EXPECT_EQ(counts().length(cell("en", 5)), 1u);
  EXPECT_EQ(counts().length(cell("en", 4)), 0u);
  comment.language = "de";
  comment.rating = 1;
  stand_->change(comment);
  EXPECT_EQ(counts().length(cell("en", 5)), 0u);
  EXPECT_EQ(counts().length(cell("de", 1)), 1u);
  auto products = wait(store_->view()->products("", 1000)).value();
  ASSERT_EQ(products.size(), 1u);
  EXPECT_EQ(products[0].ratings, (RatingCounts{1, 0, 0, 0, 0}));
  stand_->remove(comment);
  EXPECT_EQ(counts().total(), 0u);
  EXPECT_TRUE(wait(store_->view()->products("", 1000))->empty());
}

// Whatever the store takes for empty without a look.
TEST_P(WritingContract, CountsCallNoListEmptyThatHasAnOwnComment) {
  Comment comment = comment_at(1000, 1, "en", 5);
  auto expect_member_of = [&](const Cell& its) {
    auto known = counts();
    for (FacetValue language : {any, cell("en", 5)[0], cell("de", 5)[0]})
      for (FacetValue rating = 0; rating <= 5; ++rating)
        EXPECT_FALSE(covers({language, rating}, its) && known.is_empty({language, rating}));
  };
  (void)counts();
  insert(comment);
  expect_member_of(cell("en", 5));
  ASSERT_TRUE(wait(store_->update(comment.id, {.language = "de", .rating = 1})));
  expect_member_of(cell("de", 1));
  ASSERT_TRUE(wait(store_->insert_many({comment_at(1001, 2, "en", 3)})));
  expect_member_of(cell("en", 3));
}

}  // namespace
}  // namespace quire
