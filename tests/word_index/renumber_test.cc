// Segments get slots of their own, in the order of products and ids, in steps beside other writes.
#include "word_index/renumber.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/rounds.h"
#include "lmdb/cursor.h"
#include "lmdb/environment.h"
#include "word_edits.h"
#include "word_index/rewrite.h"

namespace quire::word_index {
namespace {

using Step = RenumberingState::Step;

class Renumberings : public WordEdits {
 protected:
  std::vector<Segment> some_segments(const Segments& all) {
    std::vector<Segment> some;
    for (std::size_t i = 0; i + 1 < all.segments.size(); ++i) {
      if (random_() % 3) some.push_back(all.segments[i]);
    }
    return some;
  }

  Contents contents(const lmdb::Transaction& txn) { return read_contents(db_, txn); }

  // How many runs of all blocks lie in a segment, and how many rows of runs name it.
  std::pair<std::size_t, std::size_t> runs_in(const lmdb::Transaction& txn, Slot start,
                                              std::uint32_t length) {
    std::size_t runs = 0, blocks = 0;
    for (const auto& entry : lmdb::Entries(txn, db_.slots)) {
      auto row = lmdb::unsealed(db_.slots.seed, entry.key(), entry.value());
      auto before = runs;
      auto of_block = Runs::decode(row.value());
      for (const auto& run : of_block.all()) runs += run.slot >= start && run.slot - start < length;
      blocks += runs > before;
    }
    return {runs, blocks};
  }

  std::optional<Renumbering> plan_;
  RenumberingState state_;
};

// Any segments, while comments change between the steps, transactions are aborted, whoever takes
// the steps ends, and others write the segments anew.
TEST_F(Renumberings, KeepTheTermsOfEachCommentAtEachStep) {
  Store store, committed;
  int done = 0, lost = 0, left = 0;
  for (int round = 0; round < rounds(3000); ++round) {
    lmdb::WriteTransaction txn(environment_);
    if (!plan_ && random_() % 4 == 0) {
      if (auto due = some_segments(contents(txn).segments); !due.empty()) {
        plan_ = prepare_renumbering(db_, txn, contents(txn).segments, due);
        state_ = {};
      }
    }
    IndexEdit edit(db_, index_, txn);
    edit.begin(0);
    auto before = state_;
    if (random_() % 2) change(txn, edit, store);
    if (random_() % 40 == 0) {
      auto due = dead_due(edit.contents().segments, static_cast<Slot>(random_() % 9000));
      if (due) edit.apply(prepare(db_, txn, edit.contents().segments, *due));
    }
    if (plan_) edit.renumber(*plan_, state_, 1 + random_() % 20);
    edit.finish();
    ASSERT_NO_FATAL_FAILURE(expect(txn, store));
    bool commits = random_() % 5 > 0;
    (commits ? committed : store) = commits ? store : committed;
    if (commits) txn.commit();
    if (!commits) state_ = before;
    if (!plan_) continue;
    lmdb::ReadTransaction read(environment_);
    look_again(db_, read.get(), *plan_, state_);
    done += state_.step == Step::done;
    lost += state_.step == Step::lost;
    bool ends = random_() % 100 == 0;
    left += ends && state_.step == Step::blocks;
    if (state_.is_over() || ends) plan_.reset();
  }
  EXPECT_GT(done, rounds(20));
  EXPECT_GT(lost, 0);
  EXPECT_GT(left, 0);
}

// Products whose comments came in turns have a run a block.
TEST_F(Renumberings, LeaveARunABlock) {
  Store store;
  lmdb::WriteTransaction txn(environment_);
  for (int round = 0; round < 100; ++round) {
    IndexEdit edit(db_, index_, txn);
    edit.begin(0);
    change(txn, edit, store);
    edit.finish();
  }
  auto all = contents(txn).segments;
  auto [runs, blocks] = runs_in(txn, 0, all.next_slot);
  EXPECT_GT(runs, 2 * blocks);
  auto plan = prepare_renumbering(db_, txn, all, all.segments);
  IndexEdit edit(db_, index_, txn);
  while (!state_.is_over()) {
    edit.renumber(plan, state_, 7);
    look_again(db_, txn, plan, state_);
  }
  edit.finish();
  ASSERT_EQ(state_.step, Step::done);
  ASSERT_NO_FATAL_FAILURE(expect(txn, store));
  auto after = contents(txn).segments;
  ASSERT_EQ(after.segments, (std::vector{Segment{all.next_slot, plan.length}}));
  EXPECT_EQ(after.next_slot, all.next_slot + plan.length);
  EXPECT_EQ(runs_in(txn, all.next_slot, plan.length), std::pair(blocks, blocks));
  EXPECT_EQ(txn.entries(db_.rows), plan.rows.size());
}

// Nobody has their slots any more: they go, and none takes their place.
TEST_F(Renumberings, OfDeadSegmentsLeaveNone) {
  Store store;
  lmdb::WriteTransaction txn(environment_);
  for (int round = 0; round < 30; ++round) {
    IndexEdit edit(db_, index_, txn);
    edit.begin(0);
    change(txn, edit, store);
    edit.finish();
  }
  for (auto& [product, comments] : store) {
    IndexEdit edit(db_, index_, txn);
    std::vector<Change> gone;
    std::vector<bitmap_index::Change> moved;
    for (const auto& [id, terms] : comments) {
      gone.push_back({id, {}});
      moved.push_back({id, {}});
    }
    edit.apply(product, gone);
    edit.finish();
    bitmap_index::IndexEdit(index_, txn).apply(product, moved);
  }
  auto all = contents(txn).segments;
  auto plan = prepare_renumbering(db_, txn, all, all.segments);
  EXPECT_EQ(plan.length, 0u);
  IndexEdit edit(db_, index_, txn);
  while (!state_.is_over()) {
    edit.renumber(plan, state_, 100);
    look_again(db_, txn, plan, state_);
  }
  edit.finish();
  EXPECT_EQ(state_.step, Step::done);
  EXPECT_TRUE(contents(txn).segments.segments.empty());
  EXPECT_EQ(txn.entries(db_.rows), 0u);
}

// A segment without comments goes, too, where it is written anew.
TEST_F(Renumberings, ThatEndedBeforeAnyCommentHadNewSlotsLeaveNoSegment) {
  Store store;
  lmdb::WriteTransaction txn(environment_);
  for (int round = 0; round < 30; ++round) {
    IndexEdit edit(db_, index_, txn);
    edit.begin(0);
    change(txn, edit, store);
    edit.finish();
  }
  auto all = contents(txn).segments;
  auto plan = prepare_renumbering(db_, txn, all, all.segments);
  IndexEdit edit(db_, index_, txn);
  edit.renumber(plan, state_, 1);
  ASSERT_EQ(edit.contents().segments.segments.size(), all.segments.size() + 1);
  edit.tidy(1000);
  edit.finish();
  EXPECT_LT(contents(txn).segments.segments.back().start, state_.start);
  ASSERT_NO_FATAL_FAILURE(expect(txn, store));
  IndexEdit later(db_, index_, txn);
  later.renumber(plan, state_, 1);
  EXPECT_EQ(state_.step, Step::lost);
}

}  // namespace
}  // namespace quire::word_index
