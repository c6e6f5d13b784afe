// The index in a store beside a plain model, the terms of each comment: while comments come, change
// and go, blocks are split and joined, words are built and dropped, and transactions are aborted.
#include "word_index/edit.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/rounds.h"
#include "bitmap_index/databases.h"
#include "bitmap_index/edit.h"
#include "bytes.h"
#include "lmdb/environment.h"
#include "temporary_directory.h"
#include "word_index/merge.h"
#include "word_index/reader.h"
#include "word_index/rewrite.h"
#include "word_index/terms_of_segment.h"
#include "words/rules.h"
#include "words/stemmers.h"

namespace quire::word_index {
namespace {

using Comments = std::map<Ulid, Terms>;
using Store = std::map<bitmap_index::Product, Comments>;

class WordEdits : public testing::Test {
 protected:
  WordEdits() {
    lmdb::WriteTransaction txn(environment_);
    index_ = bitmap_index::open_databases(txn.get(), MDB_CREATE, 0x1234567890ABCDEF);
    index_.block_bits = 3;
    index_.group_bits = 1;
    db_ = open_databases(txn.get(), MDB_CREATE);
    txn.commit();
  }

  Terms random_terms() {
    std::set<std::string> terms = {random_() % 4 ? "\1en" : "\1"};
    for (auto left = random_() % 6; left > 0; --left)
      terms.insert("word" + std::to_string(random_() % (1 + random_() % 300)));
    return {terms.begin(), terms.end()};
  }

  // What comes, changes and goes in a product.
  std::vector<Change> random_changes(const Comments& comments) {
    std::map<Ulid, Change> changes;
    for (auto left = 1 + random_() % (random_() % 8 ? 5 : 60); left > 0; --left) {
      Ulid id = Ulid::make(1'700'000'000'000 + random_() % 300, {});
      id.bytes[15] = static_cast<std::uint8_t>(random_() % 4);
      bool goes = comments.contains(id) && random_() % 2;
      changes[id] = {id, goes ? std::nullopt : std::optional(random_terms())};
    }
    std::vector<Change> sorted;
    for (auto& [id, change] : changes) sorted.push_back(std::move(change));
    return sorted;
  }

  void change(lmdb::WriteTransaction& txn, IndexEdit& edit, Store& store) {
    auto product = static_cast<bitmap_index::Product>(random_() % 3);
    auto& comments = store[product];
    auto changes = random_changes(comments);
    std::vector<bitmap_index::Change> moved;
    for (const auto& [id, terms] : changes) {
      moved.push_back({id, {}});
      if (terms) moved.back().values.emplace();
      if (terms)
        comments[id] = *terms;
      else
        comments.erase(id);
    }
    edit.apply(product, std::move(changes));
    bitmap_index::IndexEdit(index_, txn).apply(product, moved);
  }

  // Builds some comments further, of one product. Returns whether any are left.
  bool build(IndexEdit& edit, const Store& store) {
    const auto& last = edit.contents().work->last;
    bool begun = edit.contents().work->passed > 0;
    for (const auto& [product, comments] : store) {
      std::vector<Change> some;
      for (const auto& [id, terms] : comments) {
        bool behind = !begun || std::string_view(runs_key(product, id)) > std::string_view(last);
        if (behind && some.size() < 40) some.push_back({id, terms});
      }
      if (some.empty()) continue;
      edit.pass(runs_key(product, some.back().id), some.size());
      edit.apply(product, std::move(some));
      return true;
    }
    edit.end_building();
    return false;
  }

  std::map<Slot, Terms> terms_of_slots(const lmdb::Transaction& txn, Reader& reader) {
    std::map<Slot, Terms> all;
    for (const auto& segment : reader.segments()) {
      TermsOfSegment terms(reader.rows(), segment.start);
      while (terms.next()) {
        std::string term = terms.term();
        std::vector<Position> positions;
        terms.append_to(positions);
        for (auto position : positions) {
          EXPECT_LT(position, segment.length);
          all[segment.start + position].push_back(term);
        }
      }
    }
    rows_ = txn.entries(db_.rows);
    return all;
  }

  // Each comment up to the mark has its terms, and no other has a slot.
  void expect(const lmdb::Transaction& txn, const Store& store) {
    Reader reader(db_, txn);
    auto contents = read_contents(db_, txn);
    auto of_slots = terms_of_slots(txn, reader);
    std::set<Slot> used;
    std::size_t rows = 0, live = 0;
    for (const auto& [product, comments] : store) {
      Ulid block{};
      auto runs = reader.runs(product, block);
      rows += runs.ids() > 0;
      std::size_t at = 0;
      for (const auto& [id, terms] : comments) {
        if (bitmap_index::level_of(index_, id) > 0) {
          ASSERT_EQ(at, runs.ids());
          block = id;
          runs = reader.runs(product, block);
          rows += runs.ids() > 0;
          at = 0;
        }
        if (!contents.takes(runs_key(product, id))) continue;
        ++live;
        ASSERT_LT(at, runs.ids());
        auto slot = runs.slot(at++);
        ASSERT_TRUE(used.insert(slot).second);
        ASSERT_EQ(of_slots[slot], terms);
      }
      ASSERT_EQ(at, runs.ids());
    }
    ASSERT_EQ(txn.entries(db_.slots), rows);
    std::size_t slots = 0, dead = 0;
    for (const auto& segment : reader.segments()) {
      slots += segment.length;
      dead += segment.dead;
    }
    ASSERT_LE(live + dead, slots);
    live_ += live;
    auto largest = reader.segments().empty() ? 0 : reader.segments()[0].length;
    merged_ = merged_ || largest > tiers[1];
  }

  std::mt19937_64 random_{81};
  TemporaryDirectory directory_;
  lmdb::Environment environment_{{.directory = directory_.path()}};
  bitmap_index::Databases index_;
  Databases db_;
  std::size_t live_ = 0, rows_ = 0;
  bool merged_ = false;
  int rewritten_ = 0;
};

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
