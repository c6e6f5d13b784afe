// Page numbers from a page index beside a store that keeps none.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <deque>
#include <random>

#include "../store/support.h"
#include "lying_store.h"
#include "plain_index.h"
#include "service/comments.h"
#include "store/lmdb/store.h"
#include "wander.h"

namespace quire {
namespace {

using projection::Phase;

std::vector<Ulid> ids(const FoundPage& page) {
  std::vector<Ulid> out;
  for (const auto& row : page.rows) out.push_back(row.id);
  return out;
}

class Numbers : public testing::TestWithParam<Lie> {
 protected:
  Numbers() {
    spdlog::set_level(spdlog::level::off);
    fill(400);
  }
  ~Numbers() override { spdlog::set_level(spdlog::level::info); }

  std::size_t below(std::size_t end) { return random_() % end; }

  Comment random_comment() {
    return comment_at(1000 + below(300), ++made_, below(3) ? "en" : languages[below(4)],
                      below(3) ? 5 : static_cast<int>(below(5)) + 1);
  }

  void fill(std::size_t size) {
    std::vector<Comment> batch;
    while (model_.size() < size) {
      batch.push_back(random_comment());
      model_.insert(batch.back());
      index_.add(batch.back());
    }
    EXPECT_TRUE(wait(store_.insert_many(batch)));
  }

  Query random_query() {
    Query query{.product = below(20) ? "42" : "nobody"};
    for (auto count = below(4); count > 0; --count) query.languages.push_back(languages[below(4)]);
    for (auto count = below(5); count > 0; --count)
      query.ratings.push_back(static_cast<int>(below(5)) + 1);
    query.limit = 1 + below(60);
    query.sort = static_cast<Sort>(below(4));
    return query;
  }

  FoundPage page(const Query& query) { return std::move(wait(comments_.page(query))).value(); }

  // The page at this number is the page that was walked to; and its comments know it.
  void expect_same_by_number(Query query, const FoundPage& walked, std::uint64_t number) {
    query.after.reset();
    query.page = number;
    FoundPage found = page(query);
    ASSERT_EQ(ids(found), ids(walked));
    EXPECT_EQ(found.next, walked.next);
    EXPECT_EQ(found.previous, walked.previous);
    EXPECT_EQ(found.number->number, number);
    EXPECT_EQ(found.total, walked.total);
    if (found.rows.empty()) return;
    auto place = wait(comments_.place(found.rows[below(found.rows.size())].id, query));
    EXPECT_EQ(place.value().number, number);
  }

  TemporaryDirectory directory_;
  std::unique_ptr<embedded::LmdbStore> embedded_ =
      embedded::LmdbStore::open(directory_.path(), Access::write).value();
  LyingStore store_{*embedded_, GetParam()};
  PlainIndex index_;
  std::uint64_t now_ = 5'000'000;
  Comments comments_{
      store_, Seal({Seal::Key{1, 2, 3}}), {.index = &index_}, [this] { return now_; }};
  std::mt19937_64 random_{20261122};
  std::uint64_t made_ = 0;
  PlainModel model_;
};

TEST_P(Numbers, PageNIsThePageThatNStepsLeadTo) {
  for (int round = 0; round < 60; ++round) {
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

// While pages are asked for, comments come and go; the index learns of it later, even between two
// questions of one request. Pages by cursor are right, and numbers are as wrong as it is behind.
class NumbersOfALateIndex : public Numbers {
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

  // A comment's number, counted a little wrong.
  void expect_near(std::uint64_t number, const Ulid& id, const Query& query, std::size_t behind) {
    auto all = model_.select(query);
    auto place = static_cast<std::size_t>(std::find(all.begin(), all.end(), id) - all.begin());
    if (place == all.size()) return;  // it was removed
    auto right = place / query.limit + 1, margin = 2 * behind / query.limit + 1;
    EXPECT_TRUE(number >= 1 && number + margin >= right && number <= right + margin)
        << number << " instead of " << right;
  }

  void expect_sane(const FoundPage& page, const Query& query, std::size_t behind) {
    EXPECT_LE(page.rows.size(), query.limit);
    EXPECT_GE(page.total, page.rows.size());
    if (!page.number) return;  // it changed too fast
    auto [number, count, whole] = *page.number;
    EXPECT_LE(number, count);
    EXPECT_TRUE(!page.next || number < count) << number << " of " << count;
    EXPECT_TRUE(!page.previous || number > 1 || !whole);
    if (!page.rows.empty()) expect_near(number, page.rows[0].id, query, behind);
  }

  std::deque<std::function<void()>> pending_;  // what the index has not heard of
  bool deaf_ = false;
};

TEST_P(NumbersOfALateIndex, MakeSense) {
  for (int round = 0; round < 40; ++round) {
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
      auto place = wait(comments_.place(id, query));
      if (place) expect_near(place->number, id, query, behind);
    });
    if (HasFatalFailure()) return;
  }
}

TEST_P(Numbers, CostNoReadingOfLists) {
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

// The newest comments are in the store alone: what lies before the first that the index knows is
// still before it.
TEST_P(Numbers, OfAnIndexThatIsBehindHidePagesFromNobody) {
  for (std::uint64_t i = 0; i < 10; ++i)
    ASSERT_TRUE(wait(store_.insert(comment_at(9000 + i, ++made_, "en", 5), {})));
  Query query{.product = "42", .limit = 5};
  FoundPage at = page(query);
  EXPECT_TRUE(at.number->whole);
  for (int step = 0; step < 2; ++step) {
    query.after = at.next;
    at = page(query);
    ASSERT_TRUE(at.previous);
    EXPECT_EQ(at.number->number, 1u);
    EXPECT_FALSE(at.number->whole) << "its beginning is another's";
  }
}

TEST_P(Numbers, OfACommentThatTheIndexHasNotHeardOfAreAPage) {
  Query query{.product = "42", .limit = 10};
  for (std::uint64_t ms : {1ull, 1150ull, 5000ull}) {
    for (Sort sort : {Sort::newest, Sort::oldest, Sort::highest, Sort::lowest}) {
      query.sort = sort;
      query.page.reset();
      Comment unheard = comment_at(ms, ++made_, "en", static_cast<int>(below(5)) + 1);
      ASSERT_TRUE(wait(store_.insert(unheard, {})));
      auto place = wait(comments_.place(unheard.id, query));
      ASSERT_TRUE(place);
      query.page = place->number;
      EXPECT_TRUE(wait(comments_.page(query))) << "there is such a page";
      ASSERT_TRUE(wait(store_.remove(unheard.id)));
    }
  }
}

// Each single question that a request asks of the index, and all from that one on.
TEST_P(Numbers, AreMissingWhereverTheIndexFailsAndPagesGoOn) {
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
          Comments comments(store_, Seal({Seal::Key{1, 2, 3}}), {.index = &index_});
          index_.calls = 0;
          index_.fails = [=](int call) { return stays ? call >= at : call == at; };
          auto found = wait(comments.page(query));
          auto place = wait(comments.place(good.rows[0].id, query));
          index_.fails = {};
          if (found && found->number) {
            ASSERT_GT(at, 2) << "a state and lengths are asked for at least";
            EXPECT_EQ(found->numbers_missing, "");
            break;
          }
          EXPECT_FALSE(stays && place);
          if (query.page) {
            ASSERT_FALSE(found);
            EXPECT_EQ(found.error().code, ErrorCode::unavailable);
            EXPECT_EQ(found.error().parameter, "page");
            EXPECT_EQ(found.error().message,
                      "Page numbers are missing. The page index cannot be asked now. Use after "
                      "and before.");
            continue;
          }
          ASSERT_TRUE(found);
          EXPECT_EQ(ids(*found), ids(good));
          EXPECT_EQ(found->next, good.next);
          EXPECT_EQ(found->previous, good.previous);
          EXPECT_EQ(found->numbers_missing, "The page index cannot be asked now.");
        }
      }
    }
  }
}

TEST_P(Numbers, ComeBackWithTheIndex) {
  Comments comments(store_, Seal({Seal::Key{}}), {.index = &index_}, [&] { return now_; });
  Query query{.product = "42"};
  EXPECT_TRUE(wait(comments.page(query))->number);
  // In the middle of a request: the very next one asks anew.
  index_.fails = [&](int call) { return call == index_.calls; };
  EXPECT_FALSE(wait(comments.page(query))->number);
  index_.fails = {};
  EXPECT_TRUE(wait(comments.page(query))->number);
  // When it was asked how it stands: nobody asks for a second.
  now_ += 2000;
  index_.fails = [](int) { return true; };
  EXPECT_FALSE(wait(comments.page(query))->number);
  index_.fails = {};
  int calls = index_.calls;
  now_ += 999;
  EXPECT_EQ(wait(comments.page(query))->numbers_missing, "The page index cannot be asked now.");
  EXPECT_EQ(index_.calls, calls);
  now_ += 1;
  auto found = wait(comments.page(query));
  EXPECT_TRUE(found->number);
  EXPECT_EQ(found->numbers_missing, "");
}

TEST_P(Numbers, AreMissingAsLongAsTheIndexDoesNotFollow) {
  Comments comments(store_, Seal({Seal::Key{}}),
                    {.index = &index_, .most_behind = std::chrono::seconds(30)},
                    [&] { return now_; });
  Query first{.product = "42"}, second{.product = "42", .page = 2};
  auto id = page(first).rows[0].id;
  auto missing = [&] {
    now_ += 1000;
    index_.said.marks["shard"].as_of_ms += 1000;
    auto found = wait(comments.page(first)).value().numbers_missing;
    EXPECT_EQ(wait(comments.standing())->missing, found);
    for (const auto& error :
         {wait(comments.page(second)).error(), wait(comments.place(id, {})).error()}) {
      EXPECT_EQ(error.code, ErrorCode::unavailable);
      EXPECT_NE(error.message.find(found), std::string::npos) << error.message;
    }
    return found;
  };
  const std::pair<Phase, std::string> phases[] = {
      {Phase::empty, "The page index is empty: run quire backfill."},
      {Phase::building, "The page index is being built."},
      {Phase::lost,
       "The page index has lost its place in the table's stream: run quire backfill."}};
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
  EXPECT_EQ(missing(), behind) << "of one shard nothing is known";
  index_.said.marks.erase("other");
  index_.said.marks["shard"].as_of_ms = now_ - 29'000;
  now_ += 1000;
  EXPECT_TRUE(wait(comments.page(second))->number);
  EXPECT_EQ(wait(comments.standing())->as_of_ms, now_ - 30'000);
}

TEST_P(Numbers, AreNotTheStoresWhereNoneAreWanted) {
  Comments none(*embedded_, Seal({Seal::Key{1, 2, 3}}), {.store = false});
  Query query{.product = "42", .limit = 10};
  auto found = wait(none.page(query));
  EXPECT_FALSE(found->number);
  EXPECT_EQ(found->numbers_missing, "") << "nothing is amiss";
  EXPECT_FALSE(wait(none.standing()));
  wander(none, model_, query, random_, 20, [](const auto&, bool) {});
  query.page = 2;
  EXPECT_EQ(wait(none.page(query)).error().code, ErrorCode::unavailable);
  EXPECT_EQ(wait(none.place(found->rows[0].id, {})).error().code, ErrorCode::unavailable);
}

INSTANTIATE_TEST_SUITE_P(All, Numbers, testing::Values(none, half_forgotten, upside_down));
INSTANTIATE_TEST_SUITE_P(All, NumbersOfALateIndex, testing::Values(none, upside_down));

}  // namespace
}  // namespace quire
