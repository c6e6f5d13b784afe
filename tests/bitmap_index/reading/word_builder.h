// An index of words beside a bitmap index, written plainly: slots in an order that is a little
// mixed, some of them of comments that are gone, and segments of any size.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bitmap_index/plain.h"
#include "bitmap_index/reading/reader.h"
#include "word_index/databases.h"
#include "word_index/merge.h"
#include "word_index/plain_rows.h"
#include "word_index/runs.h"
#include "word_index/state.h"
#include "words/rules.h"
#include "words/terms.h"

namespace quire::bitmap_index {

inline std::string random_text(std::mt19937_64& random, std::size_t words) {
  constexpr std::string_view vocabulary[] = {"a",     "zipper", "zippers", "fits", "fitted", "fit",
                                             "passt", "passen", "지퍼가",  "지퍼", "性价比", "性价",
                                             "größe", "Größen", "great",   "rare"};
  std::string text;
  for (; words > 0; --words) {
    auto common = 1 + random() % std::size(vocabulary);
    text.append(vocabulary[random() % common]).append(" ");
  }
  return text;
}

inline void give_terms(std::mt19937_64& random, Plain& plain) {
  constexpr std::string_view languages[] = {"en", "de", "und", "ko", "zh"};
  words::Terms terms;
  for (auto& each : plain)
    each.terms =
        terms.of({}, random_text(random, random() % 5), languages[random() % std::size(languages)]);
}

class WordBuilder {
 public:
  WordBuilder(const word_index::Databases& words, const Databases& index,
              lmdb::WriteTransaction& txn)
      : words_(words), index_(index), txn_(txn) {}

  // Whose bitmap index is there.
  void add(Product product, const Plain& plain) {
    for (const auto& each : plain) comments_.push_back({product, each.id, &each.terms});
  }

  // Returns the stemmers of all comments.
  words::Stemmers finish(std::mt19937_64& random) {
    std::stable_sort(comments_.begin(), comments_.end(),
                     [](const Comment& a, const Comment& b) { return a.id < b.id; });
    for (auto late = comments_.size() / 10; late > 0; --late)
      std::swap(comments_[random() % comments_.size()], comments_[random() % comments_.size()]);
    segments_.rules = words::digest(words::rules());
    segments_.next_slot = static_cast<word_index::Slot>(random() % 1000);
    for (std::size_t i = 0; i < comments_.size();) {
      auto count = std::min<std::size_t>(comments_.size() - i, 1 + random() % (2 << random() % 10));
      write_segment(random, std::span(comments_).subspan(i, count));
      i += count;
    }
    write_runs();
    txn_.put(words_.segments, word_index::segments_key, encode(segments_));
    return segments_.stemmers;
  }

 private:
  struct Comment {
    Product product;
    Ulid id;
    const std::vector<std::string>* terms;
  };

  void write_segment(std::mt19937_64& random, std::span<const Comment> comments) {
    word_index::Segment segment{segments_.next_slot, 0};
    word_index::Postings postings;
    segment.product = comments[0].product + 1;
    for (const auto& comment : comments) {
      if (comment.product + 1 != segment.product) segment.product = 0;
      for (bool gone = random() % 8 == 0;; gone = false) {
        for (const auto& term : *comment.terms) postings[term].push_back(segment.length);
        if (!gone) break;
        ++segment.length;
        ++segment.dead;
      }
      slots_[comment.product][comment.id] = segment.start + segment.length++;
      if (comment.terms->empty()) continue;
      auto stemmer = words::stemmer_with(std::string_view(comment.terms->front()).substr(1));
      segments_.stemmers |= words::only(*stemmer);
    }
    for (const auto& row : word_index::rows_of(segment.start, postings))
      txn_.put(words_.rows, row.key, row.value);
    segments_.segments.push_back(segment);
    segments_.next_slot += segment.length + static_cast<word_index::Slot>(random() % 3);
  }

  void write_runs() {
    for (const auto& [product, slots] : slots_) {
      Reader reader(txn_.get(), index_, product);
      auto slot = slots.begin();
      for (const auto& block : reader.blocks()) {
        word_index::Runs runs;
        for (std::size_t i = 0; i < block.ids; ++i) runs.insert(i, (slot++)->second);
        txn_.put(words_.slots, word_index::runs_key(product, block.start), runs.encode());
      }
    }
  }

  const word_index::Databases& words_;
  const Databases& index_;
  lmdb::WriteTransaction& txn_;
  std::vector<Comment> comments_;  // by slot
  word_index::Segments segments_;
  std::map<Product, std::map<Ulid, word_index::Slot>> slots_;
};

}  // namespace quire::bitmap_index
