// A store of comments with words beside a plain model of it: the terms of each comment.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bitmap_index/databases.h"
#include "bitmap_index/edit.h"
#include "bitmap_index/level_counts.h"
#include "lmdb/environment.h"
#include "temporary_directory.h"
#include "word_index/edit.h"
#include "word_index/merge.h"
#include "word_index/reader.h"
#include "word_index/terms_of_segment.h"

namespace quire::word_index {

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

}  // namespace quire::word_index
