// Writers and readers at once: all find what each thread wrote last, and no reader sees lists,
// counts and comments disagree. Meant for the thread sanitizer as well.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "listing/bitmap/indexed.h"
#include "listing/model.h"
#include "loop/loop.h"
#include "model/document.h"
#include "service/comments.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire {
namespace {

constexpr int writers = 3;
constexpr int writes = 150;
// Inserts, changes and removes comments of its own; in the end holds what must be there.
std::map<Ulid, Comment> write(Comments& comments, int number) {
  std::mt19937 random(static_cast<unsigned>(number));
  std::map<Ulid, Comment> mine;
  for (int i = 0; i < writes; ++i) {
    auto some = mine.empty()
                    ? mine.end()
                    : std::next(mine.begin(), static_cast<std::ptrdiff_t>(random() % mine.size()));
    auto language = languages[random() % languages.size()];
    int rating = static_cast<int>(random() % 5) + 1;
    if (some == mine.end() || random() % 2) {
      Draft draft{.product = "42",
                  .language = language,
                  .rating = rating,
                  .text = "by " + std::to_string(number),
                  .created_ms = 1000 + random() % 50};
      auto comment = wait(comments.post(draft))->comment;
      mine.emplace(comment.id, comment);
    } else if (random() % 2) {
      some->second = decode_document(
                         wait(comments.patch(some->first, {.language = language, .rating = rating}))
                             .value()
                             .after)
                         .value();
    } else {
      EXPECT_TRUE(wait(comments.remove(some->first)));
      mine.erase(some);
    }
  }
  return mine;
}

// Walks under a filter: each row matches, rows are in order, and the total of a page is at least
// the number of its rows.
void read(const Comments& comments, int number, const std::atomic<bool>& done) {
  std::mt19937 random(static_cast<unsigned>(100 + number));
  while (!done) {
    Query query{.product = "42",
                .languages = {languages[random() % 3]},
                .ratings = {1 + static_cast<int>(random() % 5), 5},
                .limit = 7};
    for (std::optional<Ulid> last;;) {
      auto page = wait(comments.page(query));
      ASSERT_TRUE(page);
      ASSERT_TRUE(page->total);
      EXPECT_GE(*page->total, page->rows.size());
      EXPECT_EQ(page->number->count, std::max<std::uint64_t>(1, (*page->total + 6) / 7));
      for (const auto& row : page->rows) {
        auto comment = decode_document(row.document).value();
        EXPECT_EQ(comment.language, query.languages[0]);
        EXPECT_TRUE(comment.rating == query.ratings[0] || comment.rating == 5);
        if (last) {
          EXPECT_LT(comment.id, *last);
        }
        last = comment.id;
      }
      if (!page->next || done) break;
      query.after = page->next;
    }
  }
}

TEST(Parallel, WritersAndReadersAgree) {
  TemporaryDirectory directory;
  auto store = embedded::LmdbStore::open(directory.path(), Access::write).value();
  Comments comments(*store, bitmap::listings(), Seal({Seal::Key{1}}));
  std::atomic<bool> done = false;
  std::vector<std::map<Ulid, Comment>> written(writers);
  std::vector<std::thread> threads, readers;
  for (int i = 0; i < 2; ++i) readers.emplace_back([&, i] { read(comments, i, done); });
  for (int i = 0; i < writers; ++i)
    threads.emplace_back([&, i] { written[i] = write(comments, i); });
  for (auto& thread : threads) thread.join();
  done = true;
  for (auto& thread : readers) thread.join();

  std::size_t expected = 0;
  for (const auto& mine : written) {
    expected += mine.size();
    for (const auto& [id, comment] : mine) {
      auto found = wait(comments.get(id));
      ASSERT_TRUE(found);
      EXPECT_EQ(decode_document(found->document), comment);
    }
  }
  auto verified = embedded::verify(store->databases());
  EXPECT_EQ(verified.comments, expected);
  EXPECT_EQ(verified.differences, 0u);
}

}  // namespace
}  // namespace quire
