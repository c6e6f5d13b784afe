// Pages are right although counts are old, or are not kept at all.
#include <gtest/gtest.h>

#include <random>

#include "base/rounds.h"
#include "listing/lists/maker.h"
#include "listing/lying_store.h"
#include "listing/model.h"
#include "service/comments.h"
#include "store/support.h"
#include "wander.h"

namespace quire {
namespace {

class LyingCounts : public testing::TestWithParam<Lie> {
 protected:
  LyingCounts() { fill(); }

  void fill() {
    std::vector<Comment> batch;
    while (model_.size() < 600) {
      batch.push_back(comment_at(1000 + below(300), ++made_, below(3) ? "en" : languages[below(4)],
                                 below(3) ? 5 : static_cast<int>(below(5)) + 1));
      model_.insert(batch.back());
    }
    EXPECT_TRUE(wait(store_.insert_many(batch)));
  }

  std::size_t below(std::size_t end) { return random_() % end; }

  Query random_query() {
    Query query{.product = "42"};
    for (auto count = below(4); count > 0; --count) query.languages.push_back(languages[below(4)]);
    for (auto count = below(5); count > 0; --count)
      query.ratings.push_back(static_cast<int>(below(5)) + 1);
    query.limit = 1 + below(60);
    query.sort = static_cast<Sort>(below(4));
    return query;
  }

  LyingStore store_{GetParam()};
  Comments comments_{store_, lists::listings_of(store_), Seal({Seal::Key{1, 2, 3}})};
  std::mt19937_64 random_{20261121};
  std::uint64_t made_ = 0;
  PlainModel model_;
};

TEST_P(LyingCounts, PagesAreRightAllTheSame) {
  for (int round = 0; round < rounds(100); ++round) {
    Query query = random_query();
    auto all = model_.select(query);
    std::vector<Ulid> seen;
    std::optional<std::string> back;
    for (;;) {
      auto page = std::move(wait(comments_.page(query))).value();
      for (const auto& row : page.rows) seen.push_back(row.id);
      ASSERT_EQ(page.previous.has_value(), query.after.has_value());
      back = page.previous;
      if (!page.next) break;
      query.after = page.next;
    }
    ASSERT_EQ(seen, all);
    std::size_t behind = all.empty() ? 0 : (all.size() - 1) / query.limit * query.limit;
    for (query.after.reset(); back; behind -= query.limit) {
      query.before = back;
      auto page = std::move(wait(comments_.page(query))).value();
      std::vector<Ulid> ids;
      for (const auto& row : page.rows) ids.push_back(row.id);
      auto end = all.begin() + static_cast<std::ptrdiff_t>(behind);
      ASSERT_EQ(ids, std::vector<Ulid>(end - static_cast<std::ptrdiff_t>(query.limit), end));
      back = page.previous;
    }
    ASSERT_EQ(behind, 0u);
  }
}

// The comment at the edge tells whether there is a page behind. Here that comment is often removed,
// and sometimes all comments of the page, or all of the next page.
TEST_P(LyingCounts, WhatLiesAroundAPageIsRightThoughItsEdgesAreGone) {
  for (int round = 0; round < rounds(16); ++round) {
    Query query = random_query();
    query.limit = 1 + below(8);
    wander(comments_, model_, query, random_, 30, [&](const std::vector<Comment>& shown, bool on) {
      const Comment& edge = on ? shown.back() : shown.front();
      auto ahead = model_.page(query, edge, !on).ids;
      std::vector<Ulid> gone;
      if (below(3) == 0) gone.push_back(edge.id);
      if (below(10) == 0)
        for (const auto& comment : shown) gone.push_back(comment.id);
      if (below(2) && ahead.size() < query.limit)
        gone.insert(gone.end(), ahead.begin(), ahead.end());
      for (const auto& id : gone) {
        if (wait(store_.remove(id))) model_.remove(id);
      }
    });
    if (HasFatalFailure()) return;
    fill();
  }
}

INSTANTIATE_TEST_SUITE_P(All, LyingCounts,
                         testing::Values(none, half_forgotten, upside_down, of_another_product,
                                         in_parts));

}  // namespace
}  // namespace quire
