// How far a queue is counted.
#include <gtest/gtest.h>

#include "loop/loop.h"
#include "store/embedded/store.h"
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

}  // namespace
}  // namespace quire::embedded
