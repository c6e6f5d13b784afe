// Words are kept, built and dropped while comments are written; and after each of it a comment that
// is published has its terms, and no other has any.
#include "store/embedded/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/rounds.h"
#include "loop/loop.h"
#include "process.h"
#include "store/embedded/documents.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/backup.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"
#include "word_index/reader.h"
#include "words_of_store.h"

namespace quire::embedded {
namespace {

TEST_F(StoreWordsTest, FollowAllWrites) {
  EXPECT_EQ(state(), std::nullopt);
  ASSERT_TRUE(wait(store_->words()->add_words()));
  EXPECT_EQ(state(), State::ready);
  for (int i = 0; i < rounds(400); ++i) write_something();
  fill(700);
  for (int i = 0; i < rounds(200); ++i) write_something();
  expect_whole();
  expect_terms();
}

TEST_F(StoreWordsTest, AreBuiltFromTheCommentsThatAreThere) {
  fill(3000);
  ASSERT_TRUE(wait(store_->words()->add_words()));
  wait_for(State::ready);
  expect_whole();
  expect_terms();
}

// Writes meet moments of building and dropping.
TEST_F(StoreWordsTest, AreWholeWhateverIsWrittenMeanwhile) {
  fill(6000);
  for (int round = 0; round < rounds(2); ++round) {
    ASSERT_TRUE(wait(store_->words()->add_words()));
    for (int during = 0; state() != State::ready; ++during) {
      write_something();
      if (during % 8 == 0) expect_whole();
    }
    expect_terms();
    ASSERT_TRUE(wait(store_->words()->drop_words()));
    while (state()) write_something();
    expect_whole();
  }
  EXPECT_EQ(wait(store_->words()->drop_words()).error().code, ErrorCode::not_found);
}

// Closing the store stops building anywhere; opening it goes on.
TEST_F(StoreWordsTest, BuildingGoesOnWhereItStopped) {
  fill(20'000);
  store_.reset();
  ASSERT_TRUE(add_words_beside(directory_.path()));
  std::vector<double> parts;
  for (bool ready = false; !ready && parts.size() < 1000;) {
    open();
    store_.reset();
    open();
    write_something();
    auto status = wait(store_->word_status()).value();
    ready = status->state == State::ready;
    parts.push_back(status->progress);
    store_.reset();
  }
  open();
  EXPECT_GT(parts.size(), 1u);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  wait_for(State::ready);
  expect_whole();
  expect_terms();
}

// A process that is killed while it builds and writes leaves a store that is whole.
TEST_F(StoreWordsTest, AreWholeAfterKills) {
  fill(8000);
  store_.reset();
  for (int round = 0; round < rounds(8); ++round) {
    Process killed([&] {
      open();
      if (round % 4 == 3) (void)wait(store_->drop_words());
      (void)wait(store_->add_words());
      for (made_ += 100'000 * (1 + static_cast<std::uint64_t>(round));;) {
        (void)wait(store_->insert(random_comment(), {}));
        auto at = model_.lower_bound(id_at(1000 + below(50'000), 0));
        if (at == model_.end()) continue;
        if (below(2))
          (void)wait(store_->remove(at->first));
        else
          (void)wait(store_->update(at->first, Patch{.text = text()}));
      }
      return 0;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + below(200)));
    killed.end();
    open();
    auto found = verify(store_->databases());
    EXPECT_EQ(found.differences, 0u) << found.reports.front();
    store_.reset();
  }
  open();
  ASSERT_TRUE(wait(store_->add_words()));
  wait_for(State::ready);
  auto found = verify(store_->databases());
  EXPECT_EQ(found.differences, 0u) << found.reports.front();
}

TEST_F(StoreWordsTest, OfACopyAndARepairAreThoseOfTheStore) {
  ASSERT_TRUE(wait(store_->words()->add_words()));
  fill(2000);
  auto before = kept();
  TemporaryDirectory elsewhere;
  auto copy = elsewhere.path() + "/copy";
  ASSERT_TRUE(backup(store_->databases(), directory_.path(), copy));
  store_ = LmdbStore::open(copy, Access::write).value();
  EXPECT_EQ(state(), State::ready);
  EXPECT_TRUE(kept() == before);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(state(), State::ready);
  EXPECT_TRUE(kept() == before);
  expect_whole();
}

// What an erasure leaves has no word of the customer: neither the index nor, byte by byte, a copy.
TEST_F(StoreWordsTest, OfAnErasedCustomerAreGone) {
  const CustomerHash customer{{7}};
  for (bool keep_ratings : {false, true}) {
    ASSERT_TRUE(wait(store_->words()->add_words()));
    fill(400);
    std::vector<Ulid> ids;
    for (int i = 0; i < 40; ++i) {
      Comment comment = random_comment();
      comment.moderation = {};
      comment.customer = customer;
      comment.text = "qvzword" + std::to_string(i);
      ids.push_back(comment.id);
      ASSERT_TRUE(wait(store_->insert(comment, {})));
    }
    ASSERT_TRUE(wait(store_->update(ids[3], Patch{.text = "qvzlater"})));
    ASSERT_TRUE(wait(store_->remove(ids[5])));
    fill(100);
    auto erased = wait(store_->customers()->erase(customer, keep_ratings));
    ASSERT_FALSE(erased.failed) << erased.failed->message;
    EXPECT_EQ(erased.removed.comments + erased.removed.emptied, 39u);
    {
      const auto& db = store_->databases();
      lmdb::ReadTransaction txn(*db.environment);
      word_index::Reader reader(db.words, txn);
      for (const auto& segment : reader.segments()) {
        EXPECT_EQ(segment.dead, 0u);
        word_index::TermsOfSegment terms(reader.rows(), segment.start);
        EXPECT_FALSE(terms.seek("qvz") && terms.term().starts_with("qvz"));
      }
    }
    EXPECT_EQ(verify(store_->databases()).differences, 0u);
    TemporaryDirectory elsewhere;
    auto copy = elsewhere.path() + "/copy";
    ASSERT_TRUE(backup(store_->databases(), directory_.path(), copy));
    EXPECT_EQ(file_bytes(copy + "/data.mdb").find("qvz"), std::string::npos);
  }
}

// A removal leaves its terms in the store until segments are merged, and none in a copy.
TEST_F(StoreWordsTest, OfRemovedCommentsAreNotCopied) {
  ASSERT_TRUE(wait(store_->words()->add_words()));
  fill(300);
  Comment comment = random_comment();
  comment.moderation = {};
  comment.text = "qvzword";
  ASSERT_TRUE(wait(store_->insert(comment, {})));
  fill(20);
  ASSERT_TRUE(wait(store_->remove(comment.id)));
  EXPECT_NE(file_bytes(directory_.path() + "/data.mdb").find("qvz"), std::string::npos);
  TemporaryDirectory elsewhere;
  auto copy = elsewhere.path() + "/copy";
  ASSERT_TRUE(backup(store_->databases(), directory_.path(), copy));
  EXPECT_EQ(file_bytes(copy + "/data.mdb").find("qvz"), std::string::npos);
  store_ = LmdbStore::open(copy, Access::write).value();
  EXPECT_EQ(state(), State::ready);
  expect_whole();
  expect_terms();
}

// A second thread makes large segments of those that writes left.
TEST_F(StoreWordsTest, BecomeLargeSegments) {
  ASSERT_TRUE(wait(store_->words()->add_words()));
  for (int i = 0; i < 16; ++i) fill(600);
  auto segments = [&] {
    lmdb::ReadTransaction txn(*store_->databases().environment);
    return word_index::read_contents(store_->databases().words, txn.get()).segments.segments;
  };
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (segments().size() >= 8 && std::chrono::steady_clock::now() < end) write_something();
  EXPECT_LT(segments().size(), 8u);
  EXPECT_GT(segments()[0].length, word_index::tiers[2]);
  expect_whole();
  expect_terms();
}

// Terms of other rules are of no use, and are made anew by a store that is opened to write.
TEST_F(StoreWordsTest, OfOtherRulesAreBuiltAnew) {
  ASSERT_TRUE(wait(store_->words()->add_words()));
  fill(1000);
  {
    const auto& db = store_->databases();
    lmdb::WriteTransaction txn(*db.environment);
    auto segments = word_index::read_contents(db.words, txn).segments;
    ++segments.rules;
    txn.put(db.words.segments, word_index::segments_key, word_index::encode(segments));
    txn.commit();
  }
  EXPECT_EQ(state(), State::building);
  wait_for(State::ready);
  expect_whole();
  expect_terms();
}

// What verify is for: a comment with other terms, and one without any.
TEST_F(StoreWordsTest, VerifyFindsWhatDiffers) {
  ASSERT_TRUE(wait(store_->words()->add_words()));
  fill(500);
  const auto& db = store_->databases();
  auto damage = [&](auto change) {
    lmdb::WriteTransaction txn(*db.environment);
    change(txn);
    txn.commit();
    auto found = verify(db);
    EXPECT_GT(found.differences, 0u);
    ASSERT_TRUE(wait(store_->rebuild()));
    expect_whole();
  };
  damage([&](lmdb::WriteTransaction& txn) {
    auto keys = lmdb::keys_under(txn, db.words.rows, {}, 1);
    txn.remove(db.words.rows, keys[0]);
  });
  damage([&](lmdb::WriteTransaction& txn) {
    auto keys = lmdb::keys_under(txn, db.words.slots, {}, 1);
    auto runs = word_index::Runs::decode(*txn.find(db.words.slots, keys[0]));
    runs.append(runs.split(1));
    runs.erase(0);
    txn.put(db.words.slots, keys[0], runs.encode());
  });
  damage([&](lmdb::WriteTransaction& txn) {
    auto keys = lmdb::keys_under(txn, db.words.slots, {}, 1);
    auto runs = word_index::Runs::decode(*txn.find(db.words.slots, keys[0]));
    auto first = runs.erase(0), second = runs.erase(0);
    runs.insert(0, first);
    runs.insert(0, second);
    txn.put(db.words.slots, keys[0], runs.encode());
  });
  damage([&](lmdb::WriteTransaction& txn) { txn.put(db.words.slots.dbi, "other", "row"); });
  damage([&](lmdb::WriteTransaction& txn) {
    txn.put(db.words.segments.dbi, word_index::segments_key, "damaged");
  });
}

}  // namespace
}  // namespace quire::embedded
