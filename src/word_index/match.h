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
class Matches {
 public:
  // `question` was made for the stemmers `stemmers`. All must outlive it, and nobody else asks
  // `rows` meanwhile. `segments` are sorted.
  Matches(const words::Question& question, words::Stemmers stemmers, RowSource& rows,
          std::span<const Segment> segments)
      : question_(question), stemmers_(stemmers), rows_(rows), segments_(segments) {}

  // The ids of a block that match: bit i is the i-th id. Throws lmdb::Damaged, also where a run
  // names a slot of no segment.
  bitmap_index::Words of_block(const Runs& runs);

 private:
  using Bits = bitmap_index::Words;

  // The bits of a segment that a question is answered from.
  struct Answer {
    TermsOfSegment terms;
    std::size_t size;                             // words
    std::map<words::Stemmer, Bits> stemmed = {};  // the slots of a stemmer, where asked for
  };

  const Segment& segment_of(Slot slot) const;
  const Bits& bits_of(const Segment& segment);
  Bits bits_of(const std::vector<words::Form>& forms, Answer& answer) const;
  Bits bits_of(const words::Form& form, Answer& answer) const;
  static const Bits& stemmed(words::Stemmer stemmer, Answer& answer);

  const words::Question& question_;
  words::Stemmers stemmers_;
  RowSource& rows_;
  std::span<const Segment> segments_;
  std::map<Slot, Bits> known_;  // by the first slot of the segment
};

}  // namespace quire::word_index
