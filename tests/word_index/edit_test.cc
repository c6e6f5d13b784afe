// The index in a store beside a plain model, the terms of each comment: while comments come, change
// and go, blocks are split and joined, words are built and dropped, and transactions are aborted.
#include "word_index/edit.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rounds.h"
#include "bitmap_index/edit.h"
#include "bytes.h"
#include "lmdb/environment.h"
#include "word_edits.h"
#include "word_index/merge.h"
#include "word_index/reader.h"
#include "word_index/rewrite.h"
#include "words/rules.h"

namespace quire::word_index {
namespace {

TEST_F(WordEdits, FollowComments) {
  Store store, committed;
  auto txn = std::make_unique<lmdb::WriteTransaction>(environment_);
  for (int round = 0; round < rounds(1500); ++round) {
    IndexEdit edit(db_, index_, *txn);
    edit.begin(0);
    ASSERT_EQ(edit.contents().state, State::ready);
    std::optional<Rewrite> rewrite;
    const auto& all = edit.contents().segments;
    if (!all.segments.empty() && random_() % 8 == 0) {
      auto due =
          random_() % 2 ? rewrite_due(all) : dead_due(all, static_cast<Slot>(random_() % 9000));
      if (due) rewrite = prepare(db_, *txn, all, *due);
    }
    for (auto left = 1 + random_() % 3; left > 0; --left) change(*txn, edit, store);
    rewritten_ += rewrite && edit.apply(*rewrite);
    edit.finish();
    if (random_() % 10 > 0) continue;
    ASSERT_NO_FATAL_FAILURE(expect(*txn, store));
    bool commits = random_() % 3 > 0;
    if (commits) txn->commit();
    (commits ? committed : store) = commits ? store : committed;
    txn.reset();
    txn = std::make_unique<lmdb::WriteTransaction>(environment_);
  }
  EXPECT_GT(live_, static_cast<std::size_t>(rounds(1000)));
  EXPECT_TRUE(merged_);
  EXPECT_GT(rewritten_, 0);
}

// Words that went are found under no slot, whether their slots went just now or before.
TEST_F(WordEdits, AreTidiedBitByBit) {
  Store store;
  lmdb::WriteTransaction txn(environment_);
  std::size_t left = 0;
  for (int round = 0; round < rounds(800); ++round) {
    IndexEdit edit(db_, index_, txn);
    edit.begin(0);
    for (auto changes = random_() % 4; changes > 0; --changes) change(txn, edit, store);
    if (round + 1 == rounds(800)) edit.tidy(1000);
    edit.tidy(random_() % 3);
    edit.finish();
    const auto& all = edit.contents().segments;
    left += dead_due(all, 0).has_value();
    if (random_() % 10 > 0) continue;
    ASSERT_NO_FATAL_FAILURE(expect(txn, store));
  }
  EXPECT_GT(left, 0u);
  Reader reader(db_, txn);
  EXPECT_FALSE(dead_due({.segments = {reader.segments().begin(), reader.segments().end()}}, 0));
  EXPECT_FALSE(rewrite_due({.segments = {reader.segments().begin(), reader.segments().end()}}));
  std::size_t comments = 0;
  for (const auto& [product, of_product] : store) comments += of_product.size();
  EXPECT_EQ(terms_of_slots(txn, reader).size(), comments);
  ASSERT_NO_FATAL_FAILURE(expect(txn, store));
}

// The writer is held no longer than it takes to write the rows of 128 comments.
TEST_F(WordEdits, LeaveLargerMergesToOthers) {
  constexpr bitmap_index::Product product = 0;
  lmdb::WriteTransaction txn(environment_);
  std::optional<Due> due;
  for (std::uint64_t number = 0; !due; ++number) {
    ASSERT_LT(number, merged_segments * tiers[1] + tiers[0]);
    Ulid id = Ulid::make(1'700'000'000'000 + number, {});
    IndexEdit edit(db_, index_, txn);
    edit.begin(0);
    edit.apply(product, {{id, random_terms()}});
    edit.finish();
    std::vector<bitmap_index::Change> moved = {{id, {}}};
    moved.back().values.emplace();
    bitmap_index::IndexEdit(index_, txn).apply(product, moved);
    for (const auto& segment : edit.contents().segments.segments)
      ASSERT_LE(segment.length, tiers[1]);
    due = rewrite_due(edit.contents().segments);
  }
  EXPECT_EQ(due->count, merged_segments);
}

TEST_F(WordEdits, BuildAndDropBesideChanges) {
  Store store;
  int built = 0, dropped = 0;
  lmdb::WriteTransaction txn(environment_);
  for (int round = 0; round < rounds(2000) || built * dropped == 0; ++round) {
    IndexEdit edit(db_, index_, txn);
    change(txn, edit, store);
    auto state = edit.contents().state;
    if (state == State::absent) {
      ASSERT_EQ(txn.entries(db_.rows) + txn.entries(db_.slots) + txn.entries(db_.segments), 0u);
      if (random_() % 4 == 0) edit.begin(1);
    } else if (state == State::ready) {
      ++built;
      if (random_() % 8 == 0) edit.drop();
    } else if (!edit.remove_old(1 + random_() % 20)) {
      if (edit.contents().state == State::building) build(edit, store);
      dropped += edit.contents().state == State::absent;
    }
    if (edit.contents().state == State::dropping && random_() % 8 == 0) edit.begin(1);
    edit.finish();
    auto contents = read_contents(db_, txn);
    bool whole = contents.state == State::ready ||
                 (contents.state == State::building && contents.work->step == Work::Step::build);
    if (!whole || random_() % 8 > 0) continue;
    ASSERT_NO_FATAL_FAILURE(expect(txn, store));
  }
}

TEST_F(WordEdits, OfOtherRulesAreOfNoUse) {
  lmdb::WriteTransaction txn(environment_);
  Segments segments{words::digest(words::rules()) + 1};
  txn.put(db_.segments, segments_key, encode(segments));
  IndexEdit edit(db_, index_, txn);
  EXPECT_EQ(edit.contents().state, State::other_rules);
  EXPECT_FALSE(edit.takes(0, {}));
  edit.begin(1);
  EXPECT_EQ(edit.contents().state, State::building);
  EXPECT_FALSE(edit.remove_old(10));
  EXPECT_EQ(edit.contents().work, Work{});
  edit.end_building();
  edit.finish();
  EXPECT_EQ(read_contents(db_, txn).state, State::ready);
}

TEST(WorkFormat, IsStepCommentsAndLast) {
  Ulid id = Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value();
  Work work{Work::Step::rebuild, 772, runs_key(6, id)};
  auto bytes = encode(work);
  EXPECT_EQ(hex(bytes),
            "03"
            "0000000000000304"
            "00000006"
            "019349727cfbd6764c61efb99302bd5b");
  EXPECT_EQ(decode_work(bytes), work);
  EXPECT_THROW(decode_work(bytes.substr(1)), lmdb::Damaged);
  bytes[0] = 4;
  EXPECT_THROW(decode_work(bytes), lmdb::Damaged);
}

}  // namespace
}  // namespace quire::word_index
