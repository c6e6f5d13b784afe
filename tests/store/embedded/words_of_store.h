// A store with words beside a model of it, and what is to hold of them: by verify, which recounts,
// and by the rows.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bitmap_index/level_counts.h"
#include "bytes.h"
#include "loop/loop.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"
#include "word_index/reader.h"
#include "words/terms.h"

namespace quire::embedded {

using State = FacetStatus::State;
using Kept = std::map<Ulid, word_index::Terms>;

constexpr const char* some_words[] = {"zipper", "Zippers",   "Größe",  "passt", "fits",
                                      "great",  "지퍼가",    "性价比", "the",   "don't",
                                      "x",      "wonderful", "bought", "again", "never"};

class StoreWordsTest : public testing::Test {
 protected:
  void open() { store_ = LmdbStore::open(directory_.path(), Access::write).value(); }
  void SetUp() override { open(); }

  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  std::string text() {
    std::string out;
    for (auto left = below(9); left > 0; --left)
      out.append(some_words[below(std::size(some_words))]).append(" ");
    return out + "number" + std::to_string(below(5000));
  }
  Comment random_comment() {
    Comment comment = comment_at(1000 + below(50'000), made_++, below(3) ? "en" : "de",
                                 static_cast<int>(below(5)) + 1, "p" + std::to_string(below(3)));
    comment.title = below(2) ? "" : text();
    comment.text = text();
    if (below(8) == 0) comment.moderation.status = CommentStatus::pending;
    return comment;
  }
  void keep(const Comment& comment) { model_[comment.id] = comment; }
  void fill(std::size_t comments) {
    std::vector<Comment> batch;
    for (std::size_t i = 0; i < comments; ++i) batch.push_back(random_comment());
    for (const auto& comment : batch) keep(comment);
    ASSERT_TRUE(wait(store_->insert_many(batch)));
  }
  void write_something() {
    auto at = model_.lower_bound(id_at(1000 + below(50'000), 0));
    if (below(3) == 0 || at == model_.end()) {
      Comment comment = random_comment();
      ASSERT_TRUE(wait(store_->insert(comment, {})));
      return keep(comment);
    }
    if (below(4) == 0) {
      ASSERT_TRUE(wait(store_->remove(at->first)));
      model_.erase(at);
      return;
    }
    Patch patch;
    auto& comment = at->second;
    if (below(2)) patch.rating = comment.rating = static_cast<int>(below(5)) + 1;
    if (below(2)) patch.text = comment.text = text();
    if (below(4) == 0) patch.language = comment.language = below(2) ? "fr" : "en";
    if (below(4) == 0) {
      comment.moderation.status = below(2) ? CommentStatus::published : CommentStatus::pending;
    }
    auto decide = [status = comment.moderation.status](const Comment&, Comment& after) {
      after.moderation.status = status;
      return Status(Done{});
    };
    ASSERT_TRUE(wait(store_->update(at->first, patch, {}, decide)));
  }

  std::optional<State> state() {
    auto status = wait(store_->word_status()).value();
    return status ? std::optional(status->state) : std::nullopt;
  }
  void wait_for(std::optional<State> wanted) {
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (state() != wanted && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    ASSERT_EQ(state(), wanted);
  }
  void expect_whole() {
    auto found = verify(store_->databases());
    EXPECT_EQ(found.differences, 0u) << found.reports.front();
    EXPECT_EQ(found.comments, model_.size());
  }

  // What the index says of each comment, read in the order of rows.
  Kept kept() {
    const auto& db = store_->databases();
    lmdb::ReadTransaction txn(*db.environment);
    word_index::Reader reader(db.words, txn);
    std::map<word_index::Slot, word_index::Terms> of_slots;
    for (const auto& segment : reader.segments()) {
      word_index::TermsOfSegment terms(reader.rows(), segment.start);
      while (terms.next()) {
        std::string term = terms.term();
        std::vector<word_index::Position> positions;
        terms.append_to(positions);
        for (auto position : positions) of_slots[segment.start + position].push_back(term);
      }
    }
    Kept kept;
    Ulid block;
    std::optional<ProductNumber> product;
    std::size_t at = 0;
    for (const auto& entry : lmdb::Entries(txn, db.comments)) {
      auto id = id_at_end(entry.key());
      bool other = std::exchange(product, get_u32(entry.key().data())) != product;
      if (other) block = {}, at = 0;
      if (bitmap_index::start_level(db.index, id) > 0) block = id, at = 0;
      auto runs = reader.runs(*product, block);
      if (at < runs.ids()) kept[id] = of_slots[runs.slot(at++)];
    }
    return kept;
  }
  void expect_terms() {
    words::Terms terms;
    Kept wanted;
    for (const auto& [id, comment] : model_) {
      if (comment.published()) wanted[id] = terms.of(comment.title, comment.text, comment.language);
    }
    EXPECT_TRUE(kept() == wanted);
  }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_;
  std::map<Ulid, Comment> model_;
  std::mt19937_64 random_{20261129};
  std::uint64_t made_ = 0;
};

}  // namespace quire::embedded
