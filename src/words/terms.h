// The terms of a comment: the words of its title and text in the form in which they are searched.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "words/cutter.h"
#include "words/stemmers.h"

namespace quire::words {

// Bytes of a term. A longer one is its first 48 and 16 of its hash.
inline constexpr std::size_t max_term = 64, kept_of_long = 48;

// A form as a term: itself, or, if it is longer than max_term, its first characters of at most
// kept_of_long bytes and 16 capital letters of its hash. No form has capital letters, so no other
// word is the same term by chance of its spelling. Thread-safe.
std::string term_of(std::string_view form);
// The term of a word in a language: of its stem, unless the word is longer than max_term.
std::string term_of(std::string_view form, Stems& stems, Stemmer stemmer);
// The term that each comment of a stemmer has, and no word is: 01, then the stemmer's code.
// Thread-safe.
std::string hidden_term(Stemmer stemmer);

// Makes terms. One thread at a time.
class Terms {
 public:
  // Sorted by bytes, each once; the first is hidden_term(). No term has a byte 00. `language` is
  // the comment's BCP 47 tag. The texts have less than 256 MiB. Takes time in proportion to them.
  std::vector<std::string> of(std::string_view title, std::string_view text,
                              std::string_view language);

 private:
  void add(std::string_view text, Stemmer stemmer, std::vector<std::string>& terms);

  Cutter cutter_;
  Stems stems_;
};

}  // namespace quire::words
