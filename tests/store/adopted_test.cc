// What a store answers that other programs write, beside the contract of every store.
#include "adopted_stand.h"

#include <algorithm>

namespace quire {
namespace {

class AdoptedContract : public StoreContract {
 protected:
  AdoptedStand& stand() { return static_cast<AdoptedStand&>(*stand_); }
};
class AdoptedByTime : public AdoptedContract {};
class AdoptedWithIndex : public AdoptedContract {};
class AdoptedWithBoth : public AdoptedContract {};

TEST_P(AdoptedContract, WritesAreRefusedAndChangeNothing) {
  auto comment = add(comment_at(1000, 1, "en", 5));
  auto expect_refused = [](const auto& answer) {
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::forbidden);
    EXPECT_NE(answer.error().message.find("Quire only reads it"), std::string::npos);
  };
  auto other = comment_at(1001, 2, "en", 5);
  expect_refused(wait(store_->insert(other, {})));
  expect_refused(wait(store_->insert(other, RequestKey{{1}, {7}, 1'000'000})));
  expect_refused(wait(store_->insert_many({other})));
  expect_refused(wait(store_->update(comment.id, {.rating = 1})));
  expect_refused(wait(store_->remove(comment.id)));
  auto slice = wait(store_->view()->scan({}, 10)).value();
  ASSERT_EQ(slice.entries.size(), 1u);
}

TEST_P(AdoptedContract, CustomersModerationAndFactsAreNotKept) {
  auto view = store_->view();
  EXPECT_FALSE(view->customers());
  EXPECT_FALSE(view->moderation());
  EXPECT_FALSE(store_->customers());
  EXPECT_FALSE(store_->moderation());
  EXPECT_FALSE(store_->votes());
  EXPECT_FALSE(store_->facts());
}

TEST_P(AdoptedContract, ThereIsNoLeaderboard) {
  auto none = wait(store_->view()->leaders(Leaders::five_star, any, 3));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::unavailable);
}

// Texts of times within a second sort otherwise than the times.
TEST_P(AdoptedContract, PagesWithinASecondAreComplete) {
  std::vector<Ulid> all;
  for (std::uint64_t i = 0; i < 60; ++i)
    all.push_back(add(comment_at(9'000 + i * 7919 % 40 * 50, i, "en", 5)).id);
  std::sort(all.begin(), all.end());
  for (auto order : {Order::oldest_first, Order::newest_first}) {
    std::vector<Ulid> walked;
    std::optional<Ulid> after;
    for (bool end = false; !end;) {
      auto view = store_->view();
      auto slice = wait(view->comments("42", order, after, 7)).value();
      for (const auto& entry : slice.entries) walked.push_back(entry.id);
      ASSERT_FALSE(slice.entries.empty());
      after = walked.back();
      end = slice.end;
    }
    if (order == Order::newest_first) std::reverse(walked.begin(), walked.end());
    EXPECT_EQ(walked, all);
  }
}

TEST_P(AdoptedByTime, WhatAPageIndexKnowsIsRefused) {
  auto comment = add(comment_at(1000, 1, "en", 5));
  auto view = store_->view();
  auto expect_refused = [](const auto& answer) {
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::unavailable);
    EXPECT_NE(answer.error().message.find("--pages lmdb:DIR"), std::string::npos);
  };
  expect_refused(wait(view->get(comment.id)));
  expect_refused(wait(view->products("", 10)));
  expect_refused(wait(view->as_of()));
  EXPECT_EQ(counts().total(), 0u);
  EXPECT_FALSE(counts().exact);
}

TEST_P(AdoptedByTime, ACommentThatDoesNotSortByItsTimeCostsItselfAlone) {
  auto first = add(comment_at(1'732'104'050'000, 1, "en", 5)).id;
  stand().add_at(comment_at(1'732'104'060'000, 2, "en", 5), "2024-11-20T13:01:00+01:00");
  auto last = add(comment_at(1'732'104'070'000, 3, "en", 5)).id;
  EXPECT_EQ(ids(Order::newest_first, {Cell{}, {}, 10}), (std::vector<Ulid>{last, first}));
  EXPECT_EQ(ids(Order::oldest_first, {Cell{}, {}, 1}), (std::vector<Ulid>{first}));
  auto metrics = store_->metrics();
  auto damaged = std::find_if(metrics.begin(), metrics.end(), [](const Metric& metric) {
    return metric.name == std::string_view(dynamodb::DamagedItems::counter);
  });
  ASSERT_NE(damaged, metrics.end());
  EXPECT_GT(damaged->value, 0);
}

TEST_P(AdoptedWithBoth, CommentsThatDoNotSortByTimeAreReadByTheirKeys) {
  auto comment = comment_at(1'732'104'060'000, 2, "en", 5);
  std::vector<Entry> entries{{stand().add_at(comment, "2024-11-20T13:01:00+01:00").id, {}}};
  auto view = store_->view();
  ASSERT_TRUE(wait(view->documents("42", entries)));
  EXPECT_EQ(decode_document(entries[0].document)->id, entries[0].id);
}

TEST_P(AdoptedWithIndex, AnItemThatIsGoneMeanwhileIsReadPast) {
  std::vector<Comment> all;
  for (std::uint64_t i = 0; i < 5; ++i) all.push_back(add(comment_at(1000 + i, i, "en", 5)));
  for (std::size_t gone : {1, 2, 4}) stand().remove_unseen(all[gone]);
  auto view = store_->view();
  auto slice = wait(view->comments("42", Order::oldest_first, {}, 2)).value();
  ASSERT_EQ(slice.entries.size(), 1u);
  EXPECT_EQ(slice.entries[0].id, all[0].id);
  slice = wait(view->comments("42", Order::oldest_first, all[0].id, 1)).value();
  ASSERT_EQ(slice.entries.size(), 1u) << "no page is empty but the last";
  EXPECT_EQ(slice.entries[0].id, all[3].id);
  EXPECT_EQ(wait(view->get(all[1].id)).error().code, ErrorCode::not_found);
}

TEST_P(AdoptedWithIndex, AnIndexFarBehindTheTableIsNotReadWithoutEnd) {
  auto gone = [](std::uint64_t count, const std::string& product) {
    std::vector<Comment> comments;
    for (std::uint64_t i = 0; i < count; ++i)
      comments.push_back(comment_at(1000 + i, i, "en", 5, product));
    return comments;
  };
  stand().add_gone(gone(3'000, "42"));
  stand().add_gone(gone(20'000, "43"));
  auto newest = add(comment_at(100'000'000, 1, "en", 5)).id;
  auto view = store_->view();
  auto slice = wait(view->comments("42", Order::oldest_first, {}, 10)).value();
  ASSERT_EQ(slice.entries.size(), 1u);
  EXPECT_EQ(slice.entries[0].id, newest);
  EXPECT_TRUE(slice.end);
  auto refused = wait(view->comments("43", Order::oldest_first, {}, 10));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_NE(refused.error().message.find("quire project"), std::string::npos);
}

TEST_P(AdoptedWithIndex, PagesBehindCommentsThatAreGoneAreComplete) {
  std::vector<Comment> gone, all;
  for (std::uint64_t i = 0; i < 40; ++i) gone.push_back(comment_at(1000 + i, i, "en", 5));
  stand().add_gone(gone);
  for (std::uint64_t i = 0; i < 9; ++i) all.push_back(add(comment_at(900'000 + i, i, "en", 5)));
  std::vector<Ulid> walked;
  std::optional<Ulid> after;
  for (bool end = false; !end;) {
    auto view = store_->view();
    auto slice = wait(view->comments("42", Order::oldest_first, after, 4)).value();
    ASSERT_LE(slice.entries.size(), 4u);
    for (const auto& entry : slice.entries) walked.push_back(entry.id);
    ASSERT_FALSE(slice.entries.empty());
    after = walked.back();
    end = slice.end;
  }
  ASSERT_EQ(walked.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(walked[i], all[i].id);
}

TEST_P(AdoptedWithIndex, ADamagedNameOfAProductIsReadPast) {
  for (std::string product : {"!", "a", "b", "c"}) add(comment_at(1000, 1, "en", 5, product));
  for (std::string damaged : {".", "..", "b\x01", "b\xC0"}) stand().misname(damaged);
  auto view = store_->view();
  EXPECT_EQ(wait(view->names("", 2)).value(), (std::vector<std::string>{"!", "a"}));
  EXPECT_EQ(wait(view->names("!", 2)).value(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(wait(view->names("a", 9)).value(), (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(wait(view->products("", 9)).value().size(), 4u);
}

INSTANTIATE_TEST_SUITE_P(All, AdoptedContract,
                         testing::Values(adopted_with_lmdb, adopted_by_time, adopted_by_lists),
                         name_of);
INSTANTIATE_TEST_SUITE_P(All, AdoptedByTime, testing::Values(adopted_by_time, adopted_by_lists),
                         name_of);
INSTANTIATE_TEST_SUITE_P(All, AdoptedWithBoth, testing::Values(adopted_with_both), name_of);
INSTANTIATE_TEST_SUITE_P(All, AdoptedWithIndex, testing::Values(adopted_with_lmdb), name_of);

}  // namespace
}  // namespace quire
