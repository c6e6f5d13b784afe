// What a question looks for: the terms of its words, under each stemmer that comments may have.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quire/result.h"
#include "words/stemmers.h"

namespace quire::words {

inline constexpr std::size_t max_question_words = 8;         // as typed
inline constexpr std::size_t max_question_characters = 200;  // Unicode scalar values

// One form of what is looked for. A comment has it if it has the term, or with `begins` a term that
// begins so, and its stemmer is among `of`.
struct Form {
  std::string term;
  bool begins = false;
  Stemmers of = 0;
};

// A word as typed. A comment has it if it has, of each element of `all`, one of the forms: "don't"
// is two words that are looked for, and a run of Han is its pairs.
struct Word {
  std::string typed;
  std::vector<std::vector<Form>> all;
};

// A comment matches if it has each of the words.
struct Question {
  std::vector<Word> words;
};

// What is looked for where comments have these stemmers. A word is looked for by each of their
// stems; a comment without a stemmer has it by any of these, and as typed. Where no comment has a
// stemmer of `stemmers`, a word has no form, and nothing matches.
// Errors: invalid_parameter `q`, whose message says what to do: the question is no UTF-8, has no
// word, or has more than max_question_words or max_question_characters. Thread-safe.
Result<Question> parse_question(std::string_view text, Stemmers stemmers);

// The words of a question as a comment without a stemmer has them: of a run of Han its pairs.
// Sorted, each once, so that "Fits well!" and "well, FITS" have the same ones. Errors as above.
// Thread-safe.
Result<std::vector<std::string>> plain_words(std::string_view text);
// The question that has such words, each as one typed. Thread-safe.
Question question_of(std::span<const std::string> plain_words, Stemmers stemmers);

// Whether a comment with these terms, as Terms made them, matches. Thread-safe.
bool matches(const Question& question, std::span<const std::string> terms);

}  // namespace quire::words
