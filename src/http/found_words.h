// Where the comments of an answer have the words that were looked for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quire/comment.h"
#include "words/marks.h"
#include "words/question.h"

namespace quire::http {

// One thread at a time.
class FoundWords {
 public:
  // `words`: of a question that was answered; empty: nothing is looked for.
  explicit FoundWords(const std::string& words);
  FoundWords(const FoundWords&) = delete;

  // Whether anything is looked for.
  bool any() const { return marks_.has_value(); }
  // See words::Marks.
  std::vector<words::Mark> in(std::string_view text, std::string_view language);
  // The words as typed, each once, in their order.
  std::vector<std::string> typed() const;

 private:
  words::Question question_;
  std::optional<words::Marks> marks_;  // which take long to make
};

// Appends the member `matches` to the JSON of a comment, an object that ends `out`.
void append_matches(std::string& out, FoundWords& found, const Comment& comment);

}  // namespace quire::http
