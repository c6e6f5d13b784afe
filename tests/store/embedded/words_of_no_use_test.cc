// Words that are damaged, or were made by other rules, keep no comment out and no erasure back.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "loop/loop.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/embedded/words.h"
#include "store/support.h"
#include "word_index/state.h"

namespace quire::embedded {
namespace {

class WordsOfNoUse : public testing::Test {
 protected:
  WordsOfNoUse() { EXPECT_TRUE(wait(store_->words()->add_words())); }

  Comment insert(std::string text, std::optional<CustomerHash> customer = {}) {
    Comment comment = comment_at(1000 + made_, made_, "en", 5, "p");
    ++made_;
    comment.text = std::move(text);
    comment.customer = customer;
    auto inserted = wait(store_->insert(comment, {}));
    EXPECT_TRUE(inserted) << inserted.error().message;
    return comment;
  }
  bool is_ready() {
    auto status = wait(store_->word_status());
    return status && *status && (*status)->state == FacetStatus::State::ready;
  }
  template <class Change>
  void change(Change change) {
    lmdb::WriteTransaction txn(*store_->databases().environment);
    change(store_->databases().words, txn);
    txn.commit();
  }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_ = LmdbStore::open(directory_.path(), Access::write).value();
  std::uint64_t made_ = 0;
};

// The rows of all segments are damaged, of the last one, which takes more comments, and of those
// that a merge is due for.
TEST_F(WordsOfNoUse, KeepNoCommentOut) {
  for (int i = 0; i < 150; ++i) insert("word" + std::to_string(i));
  for (int i = 0; i < 5; ++i) {
    change([](const auto& words, lmdb::WriteTransaction& txn) {
      for (const auto& key : lmdb::keys_under(txn, words.rows, {}))
        txn.put(words.rows.dbi, key, "damaged");
    });
    for (int each = 0; each < 30; ++each) insert("later" + std::to_string(each));
  }
  auto last = insert("last");
  EXPECT_TRUE(wait(store_->update(last.id, {.text = "changed"})));
  EXPECT_TRUE(wait(store_->remove(last.id)));
  EXPECT_GT(verify(store_->databases()).differences, 0u);
  ASSERT_TRUE(wait(store_->rebuild()));
  auto repaired = verify(store_->databases());
  EXPECT_EQ(repaired.differences, 0u) << repaired.reports.front();
}

// What says which words there are, and of which comments: they are built anew.
TEST_F(WordsOfNoUse, AreBuiltAnewWhereTheirListsAreDamaged) {
  for (bool slots : {false, true}) {
    for (int i = 0; i < 50; ++i) insert("word" + std::to_string(i));
    change([&](const auto& words, lmdb::WriteTransaction& txn) {
      const auto& damaged = slots ? words.slots : words.segments;
      for (const auto& key : lmdb::keys_under(txn, damaged, {}))
        txn.put(damaged.dbi, key, "damaged");
    });
    if (slots) insert("later");  // the other is met between writes
    auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!is_ready()) {
      ASSERT_LT(std::chrono::steady_clock::now(), until);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    auto found = verify(store_->databases());
    EXPECT_EQ(found.differences, 0u) << found.reports.front();
  }
}

// They are whole, and stay: an edit of the text alone changes nothing of the index itself.
TEST_F(WordsOfNoUse, AreNotThoseBesideADamagedIndex) {
  auto comment = insert("first");
  const auto& counts = store_->databases().index.counts;
  change([&](const auto&, lmdb::WriteTransaction& txn) {
    for (const auto& key : lmdb::keys_under(txn, counts, {})) txn.put(counts.dbi, key, "damaged");
  });
  EXPECT_FALSE(wait(store_->update(comment.id, {.text = "changed"})));
  EXPECT_TRUE(is_ready());
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_TRUE(wait(store_->update(comment.id, {.text = "changed"})));
}

TEST_F(WordsOfNoUse, StopNoRepairWhereNothingIsPublished) {
  Comment pending = comment_at(1, 1, "en", 5, "p");
  pending.moderation = {.status = CommentStatus::pending, .held_by = "all"};
  ASSERT_TRUE(wait(store_->insert(pending, {})));
  EXPECT_TRUE(wait(store_->rebuild()));
  insert("published");
  EXPECT_EQ(verify(store_->databases()).differences, 0u);
}

TEST_F(WordsOfNoUse, HaveNothingOfAnErasedCustomer) {
  const CustomerHash customer{{7}};
  for (bool dropped : {false, true}) {
    for (int i = 0; i < 300; ++i) insert("word" + std::to_string(i * 7919));
    insert("qvzword", customer);
    if (dropped) {
      ASSERT_TRUE(wait(store_->words()->drop_words()));
    } else {
      change([](const auto& words, lmdb::WriteTransaction& txn) {
        auto segments = word_index::read_contents(words, txn).segments;
        ++segments.rules;
        txn.put(words.segments, word_index::segments_key, word_index::encode(segments));
      });
    }
    auto erased = wait(store_->customers()->erase(customer, false));
    ASSERT_FALSE(erased.failed) << erased.failed->message;
    const auto& words = store_->databases().words;
    lmdb::ReadTransaction txn(*store_->databases().environment);
    for (const auto& key : lmdb::keys_under(txn, words.rows, {}))
      EXPECT_EQ((key + std::string(*txn.find(words.rows, key))).find("qvz"), std::string::npos);
  }
}

}  // namespace
}  // namespace quire::embedded
