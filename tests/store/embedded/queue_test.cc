// How far a queue is counted.
#include <gtest/gtest.h>

#include "loop/loop.h"
#include "store/embedded/store.h"
#include "store/moderation_view.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

TEST(Queue, IsCountedUnderAFilterUpToTenThousandComments) {
  TemporaryDirectory directory;
  auto store = LmdbStore::open(directory.path(), Access::write).value();
  std::vector<Comment> comments;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    comments.push_back(comment_at(1000 + i, i, i % 4 ? "en" : "de", 5));
    comments.back().moderation = held({}, "links", 4000);
  }
  auto last = comment_at(50'000, 1, "de", 5);
  last.moderation = held({}, "links", 4000);
  ASSERT_EQ(wait(store->insert_many(comments)).value(), 10'000u);
  auto total = [&](QueueQuestion question) {
    return wait(store->view()->moderation()->queue(std::move(question)))->total;
  };
  EXPECT_EQ(total({.languages = {"de"}}), 2500u);
  EXPECT_EQ(total({.languages = {"de"}, .after = last.id}), std::nullopt) << "on the first page";
  ASSERT_TRUE(wait(store->insert(last, {})));
  EXPECT_EQ(total({.languages = {"de"}}), std::nullopt);
  EXPECT_EQ(total({}), 10'001u) << "the whole queue is counted in any case";
}

TEST(Queue, APagePassesOverTenThousandComments) {
  TemporaryDirectory directory;
  auto store = LmdbStore::open(directory.path(), Access::write).value();
  std::vector<Comment> comments;
  for (std::uint64_t i = 0; i < 20'002; ++i)
    comments.push_back(comment_at(1000 + i, i, "en", i % 20'001 ? 5 : 1));
  ASSERT_EQ(wait(store->insert_many(comments)).value(), 20'002u);
  QueueQuestion question{.kind = QueueQuestion::Kind::published, .ratings = {1}};
  auto ask = [&] { return wait(store->view()->moderation()->queue(question)).value(); };
  auto page = ask();
  ASSERT_EQ(page.rows.size(), 1u);
  EXPECT_TRUE(page.ended_early);
  EXPECT_EQ(page.next, comments[10'000].id) << "the last that was looked at";
  question.after = page.next;
  page = ask();
  ASSERT_EQ(page.rows.size(), 1u);
  EXPECT_EQ(page.rows[0].comment.id, comments[20'001].id);
  EXPECT_FALSE(page.ended_early);
  EXPECT_EQ(page.next, std::nullopt);
  EXPECT_EQ(page.previous, comments[10'001].id);
  question.after = {};
  question.before = comments[20'001].id;
  page = ask();
  EXPECT_TRUE(page.rows.empty());
  EXPECT_TRUE(page.ended_early);
  EXPECT_EQ(page.previous, comments[10'001].id);
}

// Each document has 800 to 999 bytes.
TEST(Queue, APageThatLooksForWordsPassesOverFewerLongComments) {
  TemporaryDirectory directory;
  auto store = LmdbStore::open(directory.path(), Access::write).value();
  std::vector<Comment> comments;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    comments.push_back(comment_at(1000 + i, i, "en", 5));
    comments.back().text.assign(700, 'x');
  }
  comments.back().text = "The zippers are strong.";
  ASSERT_EQ(wait(store->insert_many(comments)).value(), 5000u);
  QueueQuestion question{.kind = QueueQuestion::Kind::published};
  ASSERT_TRUE(question.look_for("zipper"));
  auto ask = [&] { return wait(store->view()->moderation()->queue(question)).value(); };
  for (auto last : {1999, 3999}) {
    auto page = ask();
    EXPECT_TRUE(page.rows.empty());
    EXPECT_TRUE(page.ended_early);
    EXPECT_EQ(page.next, comments[last].id) << "each counts as five";
    question.after = page.next;
  }
  auto page = ask();
  ASSERT_EQ(page.rows.size(), 1u);
  EXPECT_EQ(page.rows[0].comment.id, comments.back().id);
  EXPECT_FALSE(page.ended_early);
}

}  // namespace
}  // namespace quire::embedded
