// Page numbers from a page index beside a store that keeps none.
#include <gtest/gtest.h>

#include <deque>

#include "base/rounds.h"
#include "numbers_world.h"
#include "wander.h"

namespace quire {
namespace {

TEST_P(NumbersOfAnIndex, PageNIsThePageThatNStepsLeadTo) {
  for (int round = 0; round < rounds(60); ++round) {
    Query query = random_query();
    auto all = model_.select(query);
    auto count = std::max<std::size_t>(1, (all.size() + query.limit - 1) / query.limit);
    std::uint64_t number = 1;
    FoundPage at = page(query);
    for (;; ++number) {
      ASSERT_TRUE(at.number) << at.numbers_missing;
      EXPECT_EQ(at.number->number, number);
      EXPECT_EQ(at.number->count, count);
      EXPECT_TRUE(at.number->whole);
      EXPECT_EQ(at.total, all.size());
      expect_same_by_number(query, at, number);
      if (!at.next) break;
      query.after = at.next;
      at = page(query);
    }
    EXPECT_EQ(number, count);
    query.after.reset();
    for (; at.previous; --number) {
      query.before = at.previous;
      at = page(query);
      EXPECT_EQ(at.number->number, number - 1);
    }
    EXPECT_EQ(number, 1u);
    query.before.reset();
    query.page = count + 1;
    EXPECT_EQ(wait(comments_.page(query)).error().code, ErrorCode::page_out_of_range);
  }
}

// Comments come and go, and the index learns of it later, even between two questions of one
// request. Pages by cursor are right, and numbers are wrong by as much as the index is behind.
class NumbersOfALateIndex : public NumbersOfAnIndex {
 protected:
  NumbersOfALateIndex() {
    index_.between = [this] {
      if (deaf_) return;
      for (; !pending_.empty() && below(4); pending_.pop_front()) pending_.front()();
    };
  }

  void write() {
    std::vector<Comment> batch;
    for (auto count = below(6); count > 0; --count) {
      batch.push_back(random_comment());
      model_.insert(batch.back());
      pending_.push_back([this, comment = batch.back()] { index_.add(comment); });
    }
    EXPECT_TRUE(wait(store_.insert_many(batch)));
    if (below(2)) return;
    Comment comment = model_.at(below(model_.size()));
    EXPECT_TRUE(wait(store_.remove(comment.id)));
    model_.remove(comment.id);
    pending_.push_back([this, comment] { index_.remove(comment); });
  }

  // The number is right but for the changes that the index has not heard of.
  void expect_near(std::uint64_t number, const Ulid& id, const Query& query, std::size_t behind) {
    auto all = model_.select(query);
    auto rank = static_cast<std::size_t>(std::find(all.begin(), all.end(), id) - all.begin());
    if (rank == all.size()) return;  // it was removed
    auto right = rank / query.limit + 1, margin = 2 * behind / query.limit + 1;
    EXPECT_TRUE(number >= 1 && number + margin >= right && number <= right + margin)
        << number << " instead of " << right;
  }

  void expect_sane(const FoundPage& page, const Query& query, std::size_t behind) {
    EXPECT_LE(page.rows.size(), query.limit);
    EXPECT_GE(page.total, page.rows.size());
    if (!page.number) return;  // it changed too fast
    auto [number, count, whole, joins] = *page.number;
    EXPECT_LE(number, count);
    EXPECT_TRUE(!page.next || number < count) << number << " of " << count;
    EXPECT_TRUE(!page.previous || number > 1 || !whole);
    if (!page.rows.empty()) expect_near(number, page.rows[0].id, query, behind);
  }

  std::deque<std::function<void()>> pending_;  // what the index has not heard of
  bool deaf_ = false;
};

TEST_P(NumbersOfALateIndex, MakeSense) {
  for (int round = 0; round < rounds(80); ++round) {
    Query query = random_query();
    query.product = "42";
    query.limit = 1 + below(9);
    deaf_ = below(2);
    wander(comments_, model_, query, random_, 10, [&](const std::vector<Comment>& shown, bool) {
      write();
      auto behind = pending_.size();
      expect_sane(page(query), query, behind);
      Query numbered = query;
      numbered.page = 1 + below(model_.select(query).size() / query.limit + 2);
      auto found = wait(comments_.page(numbered));
      if (found) expect_sane(*found, query, behind);
      if (!found) {
        auto code = found.error().code;
        EXPECT_TRUE(code == ErrorCode::page_out_of_range || code == ErrorCode::unavailable);
      }
      write();
      behind = pending_.size();
      auto id = shown[below(shown.size())].id;
      auto found_page = wait(comments_.page_of(id, query));
      if (found_page) expect_near(found_page->number, id, query, behind);
    });
    if (HasFatalFailure()) return;
  }
}

TEST_P(NumbersOfAnIndex, CostNoReadingOfLists) {
  for (Sort sort : {Sort::newest, Sort::oldest}) {
    Query query{.product = "42", .limit = 30, .sort = sort};
    for (;;) {
      auto at = page(query);
      EXPECT_EQ(at.view->consumed(), 1);
      if (!at.next) break;
      query.after = at.next;
    }
  }
}

// The newest comments are in the store alone, before the first comment that the index knows.
TEST_P(NumbersOfAnIndex, OfAnIndexThatIsBehindHideNoPages) {
  for (std::uint64_t i = 0; i < 10; ++i)
    ASSERT_TRUE(wait(store_.insert(comment_at(9000 + i, ++made_, "en", 5), {})));
  Query query{.product = "42", .limit = 5};
  FoundPage at = page(query);
  EXPECT_TRUE(at.number->whole);
  EXPECT_FALSE(wait(comments_.page(query, Links::by_number))->number->joins)
      << "page 2 begins beyond what the index has not heard of";
  Query second = query;
  second.page = 2;
  EXPECT_TRUE(wait(comments_.page(second, Links::by_number))->number->joins);
  for (int step = 0; step < 2; ++step) {
    query.after = at.next;
    at = page(query);
    ASSERT_TRUE(at.previous);
    EXPECT_EQ(at.number->number, 1u);
    EXPECT_FALSE(at.number->whole) << "its beginning is another's";
  }
}

TEST_P(NumbersOfAnIndex, OfACommentThatTheIndexHasNotHeardOfAreAPage) {
  Query query{.product = "42", .limit = 10};
  for (std::uint64_t ms : {1ull, 1150ull, 5000ull}) {
    for (Sort sort : {Sort::newest, Sort::oldest, Sort::highest, Sort::lowest}) {
      query.sort = sort;
      query.page.reset();
      Comment unheard = comment_at(ms, ++made_, "en", static_cast<int>(below(5)) + 1);
      ASSERT_TRUE(wait(store_.insert(unheard, {})));
      auto numbered = wait(comments_.page_of(unheard.id, query));
      ASSERT_TRUE(numbered);
      query.page = numbered->number;
      EXPECT_TRUE(wait(comments_.page(query))) << "there is such a page";
      ASSERT_TRUE(wait(store_.remove(unheard.id)));
    }
  }
}

TEST_P(NumbersOfAnIndex, AreNotTheStoresWhereNoneAreAskedFor) {
  Comments none(store_, lists::listings_of(store_), Seal({Seal::Key{1, 2, 3}}));
  Query query{.product = "42", .limit = 10};
  auto found = wait(none.page(query));
  EXPECT_FALSE(found->number);
  EXPECT_EQ(found->numbers_missing, "") << "nothing is amiss";
  EXPECT_FALSE(wait(none.index_status()));
  wander(none, model_, query, random_, 20, [](const auto&, bool) {});
  query.page = 2;
  EXPECT_EQ(wait(none.page(query)).error().code, ErrorCode::unavailable);
  EXPECT_EQ(wait(none.page_of(found->rows[0].id, {})).error().code, ErrorCode::unavailable);
}

INSTANTIATE_TEST_SUITE_P(All, NumbersOfAnIndex, testing::Values(none, half_forgotten, upside_down));
INSTANTIATE_TEST_SUITE_P(All, NumbersOfALateIndex, testing::Values(none, upside_down));

}  // namespace
}  // namespace quire
