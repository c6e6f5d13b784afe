// Words as a filter: small cases, each by hand.
#include <gtest/gtest.h>

#include <set>

#include "listing/bitmap/indexed.h"
#include "listing/bitmap/indexed_store.h"
#include "listing/lists/maker.h"
#include "listing/plain_store.h"
#include "loop/loop.h"
#include "model/filter.h"
#include "service/comments.h"
#include "store/support.h"

namespace quire {
namespace {

Comment with_text(std::uint64_t number, std::string language, std::string title, std::string text) {
  auto comment = comment_at(1000 + number, number, std::move(language), 1 + number % 5);
  comment.title = std::move(title);
  comment.text = std::move(text);
  return comment;
}

class WordsOfPages : public testing::Test {
 protected:
  void insert(const std::vector<Comment>& all) { ASSERT_TRUE(wait(store_.insert_many(all))); }

  // The numbers of the comments that have the words, newest first.
  std::vector<std::uint64_t> found(std::string words) {
    auto page = wait(comments_.page({.product = "42", .limit = 100, .words = std::move(words)}));
    if (!page) ADD_FAILURE() << page.error().message;
    std::vector<std::uint64_t> numbers;
    for (const auto& row : page->rows) numbers.push_back(row.id.ms() - 1000);
    EXPECT_EQ(page->total, numbers.size());
    return numbers;
  }
  Error refusal(const Query& query) { return wait(comments_.page(query)).error(); }

  IndexedStore store_;
  Comments comments_{store_, bitmap::listings(), Seal({Seal::Key{1}})};
  const Query query_{.product = "42", .words = "fits"};
};

using Numbers = std::vector<std::uint64_t>;

TEST_F(WordsOfPages, AreInTitleOrTextInAnyOrderAndForm) {
  store_.add_words();
  insert({with_text(0, "en", "Fits well", "The zipper broke"),
          with_text(1, "en", "Zippers", "they fitted"), with_text(2, "de", "Größe", "passt"),
          with_text(3, "und", "fits", "a zipper"), with_text(4, "en", "", "")});
  EXPECT_EQ(found("zipper FIT"), (Numbers{1, 0})) << "and not a comment that has 'fits' unstemmed";
  EXPECT_EQ(found("fits zipper"), (Numbers{3, 1, 0}));
  EXPECT_EQ(found("grosse"), (Numbers{2}));
  EXPECT_EQ(found("zipper broke fits well"), (Numbers{0}));
  EXPECT_EQ(found("button"), Numbers{});
}

TEST_F(WordsOfPages, AreThoseOfTheCommentAsItIsNow) {
  store_.add_words();
  auto comment = with_text(0, "en", "Fits", "well");
  insert({comment});
  Patch patch;
  patch.text = "badly";
  EXPECT_EQ(found("well"), Numbers{0});
  ASSERT_TRUE(wait(store_.update(comment.id, patch)));
  EXPECT_EQ(found("well"), Numbers{});
  EXPECT_EQ(found("badly"), Numbers{0});
  ASSERT_TRUE(wait(store_.remove(comment.id)));
  EXPECT_EQ(found("badly"), Numbers{});
}

// A comment without a language has a word in the form of any stemmer that the store knows.
TEST_F(WordsOfPages, AreLookedForByTheStemmersThatAnyProductBrings) {
  store_.add_words();
  insert({with_text(0, "und", "", "zipper")});
  EXPECT_EQ(found("zippers"), Numbers{});
  auto other = with_text(1, "en", "", "");
  other.product = "43";
  insert({other});
  EXPECT_EQ(found("zippers"), Numbers{0});
}

TEST_F(WordsOfPages, NeedAnIndexThatIsReady) {
  auto error = refusal(query_);
  EXPECT_EQ(error.code, ErrorCode::invalid_parameter);
  EXPECT_EQ(error.parameter, "q");
  EXPECT_EQ(error.message, "This store has no index of words. Run quire words add.");
  EXPECT_EQ(wait(comments_.statistics(query_)).error().parameter, "q");
  store_.add_words(1000);
  error = refusal(query_);
  EXPECT_EQ(error.code, ErrorCode::facet_building);
  EXPECT_EQ(error.parameter, "q");
}

TEST_F(WordsOfPages, AreOfTheStateOfTheView) {
  store_.add_words();
  insert({with_text(0, "en", "", "fits")});
  auto view = store_.view();
  auto counts = wait(view->counts("42")).value();
  insert({with_text(1, "en", "", "fits")});
  ASSERT_TRUE(wait(store_.remove(id_at(1000, 0))));
  auto filter = make_filter(query_).value();
  auto maker = bitmap::listings();
  auto listing = wait(maker->open(*view, filter, {}, counts, {10})).value();
  auto rows = wait(listing->read({}, Direction::forward)).value();
  EXPECT_EQ(listing->total(), 1u);
  ASSERT_EQ(rows.comments(), 1u);
  EXPECT_EQ(rows.first->id, id_at(1000, 0));
  EXPECT_EQ(found("fits"), Numbers{1});
}

TEST_F(WordsOfPages, AreNotInLists) {
  PlainStore table;
  Comments comments(table, lists::listings_of(table, {}), Seal({Seal::Key{1}}));
  auto error = wait(comments.page(query_)).error();
  EXPECT_EQ(error.code, ErrorCode::invalid_parameter);
  EXPECT_EQ(error.parameter, "q");
  EXPECT_EQ(error.message.find("A table has no index of words."), 0u);
}

TEST_F(WordsOfPages, AreExplained) {
  store_.add_words();
  insert({with_text(0, "en", "", "fits"), with_text(1, "en", "", "no")});
  auto query = query_;
  query.explain = true;
  query.ratings = {1, 2};
  auto plan = wait(comments_.page(query)).value().explanation.value();
  EXPECT_EQ(plan.lists, (std::vector<std::string>{"rating 1 2", "words fits"}));
  EXPECT_EQ(plan.summary,
            "bitmap: rating 1 2, words fits in 1 segment, at most 1 match, 2 blocks looked at, 0 "
            "skipped");
  EXPECT_EQ(plan.estimated_cost, 1);
}

// A change in which a block begins or ends has all counted again.
TEST_F(WordsOfPages, FollowWritesWithTotalsThatWereKept) {
  store_.add_words();
  std::vector<Comment> all;
  std::set<std::uint64_t> fitting;
  for (std::uint64_t i = 0; i < 60; ++i)
    all.push_back(with_text(i, "en", "", i % 3 ? "fits" : "no"));
  insert(all);
  for (const auto& each : all)
    if (each.text == "fits") fitting.insert(each.id.ms());
  int kept = 0;
  auto ask = [&](bool again) {
    auto query = query_;
    query.explain = true;
    auto page = wait(comments_.page(query)).value();
    EXPECT_EQ(page.total, fitting.size());
    kept += again && page.explanation->summary.ends_with("totals kept");
  };
  ask(false);
  for (std::uint64_t i = 0; i < 40; ++i) {
    auto& comment = all[i];
    if (i % 4 == 0) {
      insert({with_text(100 + i, "en", "", "fits")});
      fitting.insert(1100 + i);
    } else if (i % 4 == 1) {
      ASSERT_TRUE(wait(store_.update(comment.id, Patch{.text = "no"})));
      fitting.erase(comment.id.ms());
    } else if (i % 4 == 2) {
      ASSERT_TRUE(wait(store_.update(comment.id, Patch{.text = "Fitted"})));
      fitting.insert(comment.id.ms());
    } else {
      ASSERT_TRUE(wait(store_.remove(comment.id)));
      fitting.erase(comment.id.ms());
    }
    ask(true);
  }
  EXPECT_GT(kept, 25);
}

TEST_F(WordsOfPages, BelongToTheCursor) {
  store_.add_words();
  insert({with_text(0, "en", "", "fits"), with_text(1, "en", "", "fits")});
  auto query = query_;
  query.limit = 1;
  query.after = wait(comments_.page(query)).value().next;
  query.words = "Fits!";
  EXPECT_TRUE(wait(comments_.page(query))) << "the same question";
  query.words = "fits well";
  EXPECT_EQ(refusal(query).code, ErrorCode::cursor_mismatch);
}

}  // namespace
}  // namespace quire
