// Where the page index fails, is slow or does not follow, pages go on without numbers.
#include <gtest/gtest.h>

#include "numbers_world.h"

namespace quire {
namespace {

using change::Phase;

class NumbersMissing : public NumbersOfAnIndex {};
class NumbersOfASlowIndex : public NumbersOfAnIndex {};

// The index fails at each question of a request in turn: at that one alone, or from that one on.
TEST_P(NumbersMissing, WhereverTheIndexFailsAndPagesGoOn) {
  Query first{.product = "42", .languages = {"en", "de"}, .ratings = {4, 5}, .limit = 7};
  for (Sort sort : {Sort::newest, Sort::highest}) {
    first.sort = sort;
    auto all = model_.select(first);
    Query next = first, previous = first, third = first;
    next.after = page(first).next;
    FoundPage second = page(next);
    previous.before = second.previous;
    third.page = 3;
    for (bool stays : {false, true}) {
      for (const Query& query : {first, next, previous, third}) {
        FoundPage good = page(query);
        for (int at = 1;; ++at) {
          Comments comments(store_, lists::listings_of(store_, {.index = &index_}),
                            Seal({Seal::Key{1, 2, 3}}));
          index_.calls = 0;
          index_.fails = [=](int call) { return stays ? call >= at : call == at; };
          auto found = wait(comments.page(query));
          auto numbered = wait(comments.page_of(good.rows[0].id, query));
          index_.fails = {};
          if (found && found->number) {
            ASSERT_GT(at, 2) << "a state and lengths are asked for at least";
            EXPECT_EQ(found->numbers_missing, "");
            break;
          }
          EXPECT_FALSE(stays && numbered);
          const std::string why =
              at == 1 ? index_is_down : index_fails_for_product;  // a state is asked for first
          if (query.page) {
            ASSERT_FALSE(found);
            EXPECT_EQ(found.error().code, ErrorCode::unavailable);
            EXPECT_EQ(found.error().parameter, "page");
            EXPECT_EQ(found.error().message,
                      "Page numbers are missing. " + why + " Use after and before.");
            continue;
          }
          ASSERT_TRUE(found);
          EXPECT_EQ(ids(*found), ids(good));
          EXPECT_EQ(found->next, good.next);
          EXPECT_EQ(found->previous, good.previous);
          EXPECT_EQ(found->numbers_missing, why);
        }
      }
    }
  }
}

// A page by cursor is given without numbers; a page by number needs them.
TEST_P(NumbersOfASlowIndex, AreNotWaitedForBeyondAMoment) {
  constexpr Milliseconds moment{100};
  Comments comments(store_,
                    lists::listings_of(store_, {.index = &index_, .answer_timeout = moment}),
                    Seal({Seal::Key{1, 2, 3}}));
  Query first{.product = "42", .limit = 7}, next = first, third = first;
  next.after = page(first).next;
  third.page = 3;
  auto good = page(next);
  for (auto slow : {moment / 4 * 3, moment * 2}) {
    index_.slow = slow;
    // Two questions are asked: one alone may be fast enough.
    auto found = wait(comments.page(next)).value();
    EXPECT_EQ(ids(found), ids(good));
    EXPECT_FALSE(found.number);
    EXPECT_EQ(found.numbers_missing, "The page index takes too long to answer.");
  }
  index_.slow = {};
  EXPECT_TRUE(page(first).number) << "others are not concerned";
  index_.slow = moment * 5 / 4;
  EXPECT_EQ(wait(comments.page(third))->number->number, 3u);
}

// The lists of a product change between two questions of a request, so that no answer fits.
TEST_P(NumbersMissing, OfAProductThatChangesTooFastAlone) {
  Comment other = comment_at(1, 1, "en", 5, "43");
  index_.add(other);
  ASSERT_TRUE(wait(store_.insert(other, {})));
  Comments comments(store_, lists::listings_of(store_, {.index = &index_}), Seal({Seal::Key{}}));
  index_.between = [&] {
    if (index_.calls != 3) return;  // after the state and the lengths
    for (const auto& comment : model_.all()) index_.remove(comment);
  };
  auto found = wait(comments.page({.product = "42", .limit = 7, .page = 30}));
  index_.between = [] {};
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "Page numbers are missing. " +
                                       std::string(index_fails_for_product) +
                                       " Use after and before.");
  EXPECT_EQ(wait(comments.index_status())->missing, "");
  EXPECT_TRUE(wait(comments.page({.product = "43"}))->number);
}

TEST_P(NumbersMissing, AsLongAsTheIndexDoesNotFollow) {
  lists::NumbersSource numbers{.index = &index_, .max_behind = std::chrono::seconds(30)};
  Comments comments(store_, lists::listings_of(store_, numbers, [&] { return now_; }),
                    Seal({Seal::Key{}}));
  Query first{.product = "42"}, second{.product = "42", .page = 2};
  auto id = page(first).rows[0].id;
  auto missing = [&] {
    now_ += 1000;
    index_.said.marks["shard"].as_of_ms += 1000;
    auto found = wait(comments.page(first)).value().numbers_missing;
    EXPECT_EQ(wait(comments.index_status())->missing, found);
    for (const auto& error :
         {wait(comments.page(second)).error(), wait(comments.page_of(id, {})).error()}) {
      EXPECT_EQ(error.code, ErrorCode::unavailable);
      EXPECT_NE(error.message.find(found), std::string::npos) << error.message;
    }
    return found;
  };
  const std::pair<Phase, std::string> phases[] = {
      {Phase::empty, "The page index is empty: run quire backfill."},
      {Phase::building, "The page index is being built."},
      {Phase::lost, "The page index can no longer follow the table's stream: run quire backfill."}};
  for (const auto& [phase, why] : phases) {
    index_.said.phase = phase;
    EXPECT_EQ(missing(), why);
  }
  index_.said.phase = Phase::following;
  const std::string behind =
      "The page index is more than 30 s behind the table: see whether quire project runs.";
  index_.said.marks["shard"].as_of_ms = now_ - 30'001;
  EXPECT_EQ(missing(), behind);
  index_.said.marks["other"].as_of_ms = 0;
  EXPECT_EQ(missing(),
            "The page index reads again what was written before it was built: see whether quire "
            "project runs.")
      << "of one shard nothing is known";
  index_.said.marks.erase("other");
  index_.said.marks["shard"].as_of_ms = now_ - 29'000;
  now_ += 1000;
  EXPECT_TRUE(wait(comments.page(second))->number);
  EXPECT_EQ(wait(comments.index_status())->as_of_ms, now_ - 30'000);
}

INSTANTIATE_TEST_SUITE_P(All, NumbersMissing, testing::Values(none, half_forgotten, upside_down));
INSTANTIATE_TEST_SUITE_P(All, NumbersOfASlowIndex, testing::Values(none));

}  // namespace
}  // namespace quire
