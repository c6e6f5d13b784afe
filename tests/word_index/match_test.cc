// Questions answered from segments and runs, beside a plain model that keeps terms: while comments
// come and go, blocks are split and joined, and segments are merged and renumbered.
#include "word_index/match.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

#include "base/rounds.h"
#include "lmdb/sealed.h"
#include "word_index/plain_rows.h"
#include "words/terms.h"

namespace quire::word_index {
namespace {

using Terms = std::vector<std::string>;
using words::Stemmers;

constexpr std::string_view vocabulary[] = {"zipper", "zippers", "fits",  "fitted",
                                           "passt",  "passen",  "지퍼",  "지퍼가",
                                           "性价比", "性价",    "great", "a"};
constexpr std::string_view languages[] = {"en", "de", "und", "ko"};

std::string random_words(std::mt19937_64& random, std::size_t count) {
  std::string text;
  for (; count > 0; --count)
    text.append(vocabulary[random() % std::min<std::size_t>(1 + random() % 20, 12)]).append(" ");
  return text;
}

// A product with blocks, and the store's segments.
class Model {
 public:
  explicit Model(std::uint64_t seed) : random_(seed) {}

  void change() {
    auto dice = random_() % 1000;
    if (dice < 700) return post();
    if (dice < 900) return remove();
    if (dice < 950) return split();
    if (dice < 998) return join();
    renumber();
  }

  void expect_answers() {
    auto question = words::parse_question(random_words(random_, 1 + random_() % 3), stemmers_);
    ASSERT_TRUE(question);
    PlainSource source(rows_);
    Matches matches(*question, stemmers_, source, segments_);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      bitmap_index::Words bits;
      auto some = matches.of_block(blocks_[i], bits);
      ASSERT_EQ(some, bitmap_index::popcount(bits) > 0);
      for (std::size_t at = 0; at < plain_[i].size(); ++at) {
        bool expected = words::matches(*question, plain_[i][at]);
        found_ += expected;
        ASSERT_EQ(bitmap_index::has(bits, at), expected) << question->words[0].typed;
      }
    }
  }

  int found() const { return found_; }
  int merges() const { return merges_; }
  const PlainRows& rows() const { return rows_; }
  std::set<std::string> terms_left() const {
    std::set<std::string> terms;
    for (const auto& block : plain_) {
      for (const auto& comment : block) terms.insert(comment.begin(), comment.end());
    }
    return terms;
  }
  std::set<std::string> terms_kept() const {
    std::set<std::string> terms;
    for (const auto& segment : segments_) {
      for (const auto& [term, positions] : postings_of(rows_, segment.start)) terms.insert(term);
    }
    return terms;
  }

  // Writes all anew, in the order of ids and under new slots.
  void renumber() {
    std::vector<Position> to(next_, gone);
    Position next = 0;
    for (const auto& block : blocks_) {
      for (const auto& run : block.all()) {
        for (Slot i = 0; i < run.length; ++i) to[run.slot + i] = next++;
      }
    }
    auto start = next_;
    rewrite(segments_, start, [&](Slot slot) { return to[slot]; });
    segments_.clear();
    if (next > 0) segments_.push_back({start, next});
    next_ += next;
    auto slot = start;
    for (auto& block : blocks_) {
      auto ids = block.ids();
      block = Runs();
      for (std::size_t at = 0; at < ids; ++at) block.insert(at, slot++);
    }
  }

 private:
  void post() {
    auto language = languages[random_() % std::size(languages)];
    stemmers_ |= words::only(words::stemmer_of(language));
    auto terms = of_comments_.of({}, random_words(random_, random_() % 5), language);
    auto block = random_() % blocks_.size();
    auto at = random_() % 2 ? plain_[block].size() : random_() % (plain_[block].size() + 1);
    blocks_[block].insert(at, next_);
    plain_[block].insert(plain_[block].begin() + static_cast<long>(at), terms);
    if (segments_.empty() || segments_.back().length >= tiers[0] ||
        segments_.back().start + segments_.back().length != next_) {
      segments_.push_back({next_, 0});
    }
    auto& segment = segments_.back();
    auto open = postings_of(rows_, segment.start);
    for (const auto& term : terms) open[term].push_back(segment.length);
    ++segment.length;
    ++next_;
    replace(segment.start, rows_of(segment.start, open));
    while (auto due = merge_due(segments_)) merge_some(due->from, due->count);
  }

  void remove() {
    auto block = random_() % blocks_.size();
    if (plain_[block].empty()) return;
    auto at = random_() % plain_[block].size();
    dead_.insert(blocks_[block].erase(at));
    plain_[block].erase(plain_[block].begin() + static_cast<long>(at));
  }

  void split() {
    auto block = random_() % blocks_.size();
    auto at = random_() % (plain_[block].size() + 1);
    auto behind = blocks_[block].split(at);
    std::vector<Terms> moved(plain_[block].begin() + static_cast<long>(at), plain_[block].end());
    plain_[block].resize(at);
    blocks_.insert(blocks_.begin() + static_cast<long>(block) + 1, behind);
    plain_.insert(plain_.begin() + static_cast<long>(block) + 1, moved);
  }

  void join() {
    if (blocks_.size() < 2) return;
    auto block = random_() % (blocks_.size() - 1);
    blocks_[block].append(blocks_[block + 1]);
    plain_[block].insert(plain_[block].end(), plain_[block + 1].begin(), plain_[block + 1].end());
    blocks_.erase(blocks_.begin() + static_cast<long>(block) + 1);
    plain_.erase(plain_.begin() + static_cast<long>(block) + 1);
  }

  void merge_some(std::size_t from, std::size_t count) {
    ++merges_;
    std::span<const Segment> merged(segments_.data() + from, count);
    auto start = merged.front().start;
    rewrite(merged, start, [&](Slot slot) { return dead_.contains(slot) ? gone : slot - start; });
    auto length = merged.back().start + merged.back().length - start;
    auto first = segments_.begin() + static_cast<long>(from);
    *first = {start, length};
    segments_.erase(first + 1, first + static_cast<long>(count));
  }

  template <class Place>
  void rewrite(std::span<const Segment> old, Slot start, Place place) {
    std::deque<PlainSource> sources;
    std::deque<TermsOfSegment> terms;
    std::vector<Part> parts;
    for (const auto& segment : old) {
      terms.emplace_back(sources.emplace_back(rows_), segment.start);
      auto to = in_a_row(segment.length, segment.start);
      for (auto& slot : to) slot = place(slot);
      parts.push_back({&terms.back(), std::move(to)});
    }
    auto made = merge(start, parts);
    for (const auto& segment : old) replace(segment.start, {});
    put_rows(rows_, std::move(made));
  }

  void replace(Slot segment, std::vector<Row> rows) {
    std::erase_if(rows_, [&](const auto& row) { return is_of_segment(row.first, segment); });
    put_rows(rows_, std::move(rows));
  }

  std::mt19937_64 random_;
  words::Terms of_comments_;
  PlainRows rows_;
  std::vector<Segment> segments_;
  std::set<Slot> dead_;
  Slot next_ = 0;
  Stemmers stemmers_ = 0;
  std::vector<Runs> blocks_ = std::vector<Runs>(1);
  std::vector<std::vector<Terms>> plain_ = std::vector<std::vector<Terms>>(1);
  int found_ = 0, merges_ = 0;
};

TEST(Matches, AreThoseOfAPlainModel) {
  int found = 0, merges = 0;
  for (std::uint64_t round = 0; round < rounds(12u); ++round) {
    Model model(80 + round);
    for (int i = 0; i < 1500; ++i) {
      model.change();
      if (i % 10 != 0) continue;
      ASSERT_NO_FATAL_FAILURE(model.expect_answers());
    }
    found += model.found();
    merges += model.merges();
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(merges, 3);
}

TEST(Matches, AreOfLivingComments) {
  Model model(90);
  for (int i = 0; i < 2000; ++i) model.change();
  model.renumber();
  EXPECT_EQ(model.terms_kept(), model.terms_left());
  ASSERT_NO_FATAL_FAILURE(model.expect_answers());
}

TEST(Matches, NeedTheSegmentOfASlot) {
  auto question = words::parse_question("a", 1);
  PlainRows rows;
  PlainSource source(rows);
  std::vector<Segment> segments = {{10, 16}};
  Matches matches(*question, 1, source, segments);
  for (Slot slot : {9u, 26u}) {
    Runs runs;
    runs.insert(0, slot);
    bitmap_index::Words bits;
    EXPECT_THROW(matches.of_block(runs, bits), lmdb::Damaged) << slot;
  }
}

}  // namespace
}  // namespace quire::word_index
