// Which comments match a question: bits of slots, and from these the bits of a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "bitmap_index/words.h"
#include "word_index/merge.h"
#include "word_index/row.h"
#include "word_index/runs.h"
#include "words/question.h"

namespace quire::word_index {

// One thread at a time. Keeps the bits of each segment that a block has asked for: a bit a slot.
// All throw lmdb::Damaged, also where a run names a slot of no segment.
class Matches {
 public:
  // `question` was made for the stemmers `stemmers`. All must outlive it, and nobody else asks
  // `rows` meanwhile. `segments` are sorted.
  Matches(const words::Question& question, words::Stemmers stemmers, RowSource& rows,
          std::span<const Segment> segments);

  // Sets `bits` to the ids of a block that match: bit i is the i-th id. Whether there are some.
  bool of_block(const Runs& runs, bitmap_index::Words& bits);
  // At most so many comments of a product match: those of its segments, with dead slots and with
  // those of other products. Asks all of these segments.
  std::uint64_t most_of(bitmap_index::Product product);
  // Which segments runs name: sets those, by their place.
  void name(const Runs& runs, std::vector<bool>& segments) const;
  // Asks a segment, by its place, so that nothing waits for it later.
  void ask(std::size_t segment) { found_in(segment); }
  // How many segments were asked.
  std::size_t asked() const { return asked_; }

 private:
  using Bits = bitmap_index::Words;

  // The bits of a segment that a question is answered from.
  struct Answer {
    TermsOfSegment terms;
    std::size_t size;                             // words
    std::map<words::Stemmer, Bits> stemmed = {};  // the slots of a stemmer, where asked for
  };
  // The slots of a segment that match.
  struct Found {
    bool asked = false;
    std::size_t count = 0;
    Bits bits = {};              // empty: none does
    std::vector<Slot> few = {};  // the slots, from the first of the segment, where they are few
  };

  std::size_t segment_of(Slot slot) const;
  static bool has_some(const Found& found, Slot first, std::uint32_t count);
  const Found& found_in(std::size_t segment);
  Bits answer(const Segment& segment);
  // Both set the slots that have a form, besides those that are set. Whether there are some.
  bool add(const words::Form& form, Answer& answer, Bits& bits) const;
  static bool add_terms(const words::Form& form, TermsOfSegment& terms, Bits& bits);
  static const Bits& stemmed(words::Stemmer stemmer, Answer& answer);

  const words::Question& question_;
  words::Stemmers stemmers_;
  RowSource& rows_;
  std::span<const Segment> segments_;
  std::vector<Found> found_;  // by segment
  std::size_t asked_ = 0;
};

}  // namespace quire::word_index
