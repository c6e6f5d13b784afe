// Large segments of words get slots of their own, in the order of products and ids, beside writes.
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "base/rounds.h"
#include "lmdb/cursor.h"
#include "loop/loop.h"
#include "process.h"
#include "store/embedded/databases.h"
#include "word_index/edit.h"
#include "word_index/match.h"
#include "word_index/renumber.h"
#include "word_index/runs.h"
#include "words/question.h"
#include "words_of_store.h"

namespace quire::embedded {
namespace {

class RenumberingTest : public StoreWordsTest {
 protected:
  // Each import makes a segment of the tier that is renumbered. Products come in turns.
  void fill_segments(int segments) {
    for (int i = 0; i < segments; ++i) fill(2 * word_index::tiers[2]);
  }

  word_index::Segments segments() {
    lmdb::ReadTransaction txn(*store_->databases().environment);
    return word_index::read_contents(store_->databases().words, txn.get()).segments;
  }

  // Runs, and the rows that they are in.
  std::pair<std::size_t, std::size_t> runs() {
    const auto& db = store_->databases().words;
    lmdb::ReadTransaction txn(*store_->databases().environment);
    std::pair<std::size_t, std::size_t> found;
    for (const auto& entry : lmdb::Entries(txn, db.slots)) {
      auto row = lmdb::unsealed(db.slots.seed, entry.key(), entry.value());
      found.first += word_index::Runs::decode(row.value()).all().size();
      ++found.second;
    }
    return found;
  }
};

TEST_F(RenumberingTest, GivesABlockOneRunBesideWrites) {
  ASSERT_TRUE(wait(store_->words()->add_words()));
  fill_segments(7);
  EXPECT_GT(runs().first, 3000u);
  auto before = segments().next_slot;
  fill_segments(1);
  int writes = 0;
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  auto is_done = [&] {
    auto all = segments();
    return all.segments[0].start > before && all.segments[0].dead < all.segments[0].length / 2;
  };
  for (; !is_done() && std::chrono::steady_clock::now() < end; ++writes) write_something();
  ASSERT_TRUE(is_done());
  auto [after, blocks] = runs();
  EXPECT_LE(after, 2 * (blocks + static_cast<std::size_t>(writes)));
  expect_whole();
  expect_terms();
}

// Lists of common words go on over rows. Whoever reads meanwhile, and a process that finds what
// another one left, meets no damage.
TEST_F(RenumberingTest, LeavesAWholeIndexAtEachStep) {
  ASSERT_TRUE(wait(store_->words()->add_words()));
  fill_segments(6);
  store_.reset();
  auto databases = open_databases(directory_.path(), Access::write).value();
  auto contents = [&] {
    lmdb::ReadTransaction txn(*databases->environment);
    return word_index::read_contents(databases->words, txn.get()).segments;
  };
  auto plan = [&] {
    lmdb::ReadTransaction txn(*databases->environment);
    auto all = contents();
    return word_index::prepare_renumbering(databases->words, txn.get(), all, all.segments);
  }();
  ASSERT_GT(plan.rows.size(), 10u);
  word_index::RenumberingState state;
  std::set<word_index::RenumberingState::Step> steps;
  while (!state.is_over()) {
    {
      lmdb::WriteTransaction txn(*databases->environment);
      word_index::IndexEdit edit(databases->words, databases->index, txn);
      edit.renumber(plan, state, 1 + below(4));
      edit.finish();
      txn.commit();
    }
    lmdb::ReadTransaction txn(*databases->environment);
    word_index::look_again(databases->words, txn.get(), plan, state);
    steps.insert(state.step);
    auto found = verify(*databases);
    ASSERT_EQ(found.differences, 0u) << found.reports.front();
    word_index::Reader reader(databases->words, txn.get());
    auto question = words::question_of(std::vector<std::string>{"great"}, reader.stemmers());
    word_index::Matches matches(question, reader.stemmers(), reader.rows(), reader.segments());
    EXPECT_GT(matches.most_of(0), 0u);
  }
  EXPECT_EQ(state.step, word_index::RenumberingState::Step::done);
  EXPECT_EQ(steps.size(), 4u) << "rows, blocks, drop, done";
}

// A process that is killed between the steps leaves a store that is whole, and the next one
// renumbers what is left.
TEST_F(RenumberingTest, IsTakenUpAfterKills) {
  ASSERT_TRUE(wait(store_->words()->add_words()));
  fill_segments(3);
  store_.reset();
  int between = 0;
  for (int round = 0; round < rounds(10); ++round) {
    Process killed([&] {
      open();
      made_ += 100'000 * (1 + static_cast<std::uint64_t>(round));
      for (;;) fill_segments(1);
      return 0;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(200 + below(500)));
    killed.end();
    open();
    auto found = verify(store_->databases());
    EXPECT_EQ(found.differences, 0u) << found.reports.front();
    for (const auto& segment : segments().segments)
      between += segment.dead > 0 && segment.length > word_index::tiers[3];
    store_.reset();
  }
  open();
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  auto is_due = [&] { return !word_index::renumbering_due(segments().segments).empty(); };
  while (is_due() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_FALSE(is_due());
  auto found = verify(store_->databases());
  EXPECT_EQ(found.differences, 0u) << found.reports.front();
  RecordProperty("killed_between_steps", between);
}

}  // namespace
}  // namespace quire::embedded
