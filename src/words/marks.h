// Where a text has the words of a question, so that they can be shown.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "words/cutter.h"
#include "words/question.h"
#include "words/stemmers.h"

namespace quire::words {

// From a character to the one behind the last, in Unicode scalar values of the text.
struct Mark {
  std::uint32_t begin, end;
  friend bool operator==(const Mark&, const Mark&) = default;
};

// One thread at a time.
class Marks {
 public:
  // `question` must outlive it.
  explicit Marks(const Question& question);

  // In the order of the text, none in another. A text may have some words of the question and lack
  // others. `language` is the comment's tag. The text is UTF-8 and has less than 256 MiB.
  std::vector<Mark> in(std::string_view text, std::string_view language);

 private:
  bool looked_for(std::string_view term, Stemmer stemmer) const;

  std::vector<std::pair<std::string_view, Stemmers>> whole_;  // sorted
  std::vector<std::pair<std::string_view, Stemmers>> beginnings_;
  Cutter cutter_;
  Stems stems_;
};

}  // namespace quire::words
