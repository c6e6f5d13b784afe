// Pages of a large product, and of comments that go, against a plain vector.
#include <gtest/gtest.h>

#include <random>

#include "base/rounds.h"
#include "listing/bitmap/indexed.h"
#include "listing/model.h"
#include "loop/loop.h"
#include "model/document.h"
#include "service/comments.h"
#include "store/embedded/store.h"
#include "store/support.h"

namespace quire {
namespace {

class Pages : public testing::Test {
 protected:
  Pages()
      : store_(embedded::LmdbStore::open(directory_.path(), Access::write).value()),
        comments_(*store_, bitmap::listings(), Seal({Seal::Key{1, 2, 3}})) {}

  std::size_t below(std::size_t end) { return random_() % end; }

  Query random_query() {
    Query query{.product = "42"};
    for (auto count = below(4); count > 0; --count)
      query.languages.push_back(languages[below(languages.size())]);
    for (auto count = below(5); count > 0; --count)
      query.ratings.push_back(static_cast<int>(below(5)) + 1);
    query.limit = 1 + below(below(2) ? 5 : 100);
    query.sort = static_cast<Sort>(below(4));
    return query;
  }

  FoundPage page(const Query& query) { return std::move(wait(comments_.page(query))).value(); }

  static std::vector<Ulid> ids(const FoundPage& page) {
    std::vector<Ulid> out;
    for (const auto& row : page.rows) out.push_back(decode_document(row.document).value().id);
    return out;
  }

  // The model's page after `edge`, of `limit`.
  static std::vector<Ulid> expected(const std::vector<Ulid>& all, std::size_t from,
                                    std::size_t limit) {
    auto begin = all.begin() + static_cast<std::ptrdiff_t>(std::min(from, all.size()));
    return {begin, begin + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(limit),
                                                    all.end() - begin)};
  }

  TemporaryDirectory directory_;
  std::mt19937_64 random_{20240131};
  PlainModel model_;
  std::unique_ptr<embedded::LmdbStore> store_;
  Comments comments_;
};

// Large enough for ranks of several levels, and for searches in unions.
TEST_F(Pages, NumbersAreExactInALargeProduct) {
  std::vector<Comment> batch;
  for (std::uint64_t i = 0; i < rounds(80'000u); ++i) {
    batch.push_back(
        comment_at(1000 + i / 3, i, languages[below(4)], static_cast<int>(below(5)) + 1));
    model_.insert(batch.back());
  }
  ASSERT_TRUE(wait(store_->insert_many(batch)));
  for (int i = 0; i < 150; ++i) {
    Query query = random_query();
    auto all = model_.select(query);
    if (all.empty()) continue;
    std::size_t number = below((all.size() + query.limit - 1) / query.limit);
    query.page = number + 1;
    FoundPage found = page(query);
    ASSERT_EQ(ids(found), expected(all, number * query.limit, query.limit));
    EXPECT_EQ(found.number->number, number + 1);
    auto page_of = wait(comments_.page_of(found.rows.back().id, query));
    EXPECT_EQ(page_of.value().number, number + 1);
    // Beside it by cursor.
    if (!found.next) continue;
    query.page.reset();
    query.after = found.next;
    FoundPage next = page(query);
    EXPECT_EQ(ids(next), expected(all, (number + 1) * query.limit, query.limit));
    EXPECT_EQ(next.number->number, number + 2);
  }
}

// Counted from the oldest end, a full page stays the same, whatever is added.
TEST_F(Pages, CountedFromTheOldestEndAFullPageNeverChanges) {
  Query query{.product = "42", .ratings = {1, 5}, .limit = 7, .sort = Sort::oldest, .page = 3};
  for (std::uint64_t i = 0; i < 60; ++i)
    ASSERT_TRUE(wait(store_->insert(comment_at(1000 + i, i, "en", i % 2 ? 1 : 5), {})));
  auto before = ids(page(query));
  for (std::uint64_t i = 60; i < 160; ++i) {
    ASSERT_TRUE(
        wait(store_->insert(comment_at(1000 + i, i, "de", static_cast<int>(i % 5) + 1), {})));
    ASSERT_EQ(ids(page(query)), before);
  }
}

TEST_F(Pages, ThePageOfACommentThatIsNotThereIsNotFound) {
  Comment comment = comment_at(1000, 1, "en", 5);
  ASSERT_TRUE(wait(store_->insert(comment, {})));
  EXPECT_EQ(wait(comments_.page_of(comment.id, {})).value().number, 1u);
  EXPECT_EQ(wait(comments_.page_of(comment.id, {})).value().product, "42");
  EXPECT_EQ(wait(comments_.page_of(comment.id, {.ratings = {4}})).error().code,
            ErrorCode::not_found);
  EXPECT_EQ(wait(comments_.page_of(id_at(5, 5), {})).error().code, ErrorCode::not_found);
}

TEST_F(Pages, ACursorKeepsItsPositionWhenItsCommentIsRemoved) {
  for (std::uint64_t i = 0; i < 10; ++i) {
    Comment comment = comment_at(1000 + i, i, "en", 5);
    ASSERT_TRUE(wait(store_->insert(comment, {})));
    model_.insert(comment);
  }
  Query query{.product = "42", .limit = 4};
  auto all = model_.select(query);
  query.after = page(query).next;
  ASSERT_TRUE(wait(comments_.remove(all[3])));
  EXPECT_EQ(ids(page(query)), expected(all, 4, 4));
}

// When all comments after the cursor are removed, the page is empty, and its previous page ends
// with the comment at the edge.
TEST_F(Pages, AnEmptiedPageLeadsBack) {
  for (Sort sort : {Sort::newest, Sort::oldest, Sort::highest, Sort::lowest}) {
    for (std::uint64_t i = 0; i < 6; ++i)
      ASSERT_TRUE(wait(store_->insert(comment_at(1000 + i, i, "en", 5), {})));
    Query query{.product = "42", .limit = 4, .sort = sort};
    FoundPage first = page(query);
    auto shown = ids(first);
    for (std::uint64_t i = 0; i < 6; ++i) {
      Ulid id = id_at(1000 + i, i);
      bool was_shown = std::find(shown.begin(), shown.end(), id) != shown.end();
      ASSERT_TRUE(was_shown || wait(comments_.remove(id)));
    }
    query.after = first.next;
    FoundPage empty = page(query);
    EXPECT_TRUE(empty.rows.empty());
    EXPECT_FALSE(empty.next);
    ASSERT_TRUE(empty.previous);
    query.after.reset();
    query.before = empty.previous;
    EXPECT_EQ(ids(page(query)), shown);
    for (auto id : shown) ASSERT_TRUE(wait(comments_.remove(id)));
    query.before = empty.previous;
    FoundPage nothing = page(query);
    EXPECT_TRUE(nothing.rows.empty() && !nothing.next && !nothing.previous);
  }
}

TEST_F(Pages, CursorsAreBoundToFilterSortAndDirection) {
  for (std::uint64_t i = 0; i < 10; ++i)
    ASSERT_TRUE(wait(store_->insert(comment_at(1000 + i, i, "en", 5), {})));
  Query query{.product = "42", .languages = {"en"}, .limit = 3};
  auto next = page(query).next;
  auto code = [&](Query changed) {
    auto result = wait(comments_.page(changed));
    return result ? std::optional<ErrorCode>() : result.error().code;
  };
  EXPECT_FALSE(code({.product = "42", .languages = {"en", "en"}, .limit = 7, .after = next}));
  EXPECT_EQ(code({.product = "42", .after = next}), ErrorCode::cursor_mismatch);
  EXPECT_EQ(code({.product = "43", .languages = {"en"}, .after = next}),
            ErrorCode::cursor_mismatch);
  EXPECT_EQ(code({.product = "42", .languages = {"en"}, .sort = Sort::oldest, .after = next}),
            ErrorCode::cursor_mismatch);
  EXPECT_EQ(code({.product = "42", .languages = {"en"}, .before = next}),
            ErrorCode::cursor_mismatch);
  EXPECT_EQ(code({.product = "42", .languages = {"en"}, .after = "nonsense"}),
            ErrorCode::invalid_cursor);
  EXPECT_EQ(code({.product = "42", .after = next, .before = next}), ErrorCode::invalid_parameter);
  EXPECT_EQ(code({.product = "42", .after = next, .page = 1}), ErrorCode::invalid_parameter);
  EXPECT_EQ(code({.product = "42", .page = 0}), ErrorCode::invalid_parameter);
  EXPECT_EQ(code({.product = "42", .page = 2}), ErrorCode::page_out_of_range);
  EXPECT_EQ(code({.product = "42", .page = ~std::uint64_t{0}}), ErrorCode::page_out_of_range);
  EXPECT_FALSE(code({.product = "nobody", .page = 1}));
  EXPECT_EQ(code({.product = "42", .limit = 0}), ErrorCode::invalid_parameter);
  EXPECT_EQ(code({.product = "42", .limit = 101}), ErrorCode::invalid_parameter);
  EXPECT_EQ(code({.product = ""}), ErrorCode::invalid_parameter);
}

}  // namespace
}  // namespace quire
