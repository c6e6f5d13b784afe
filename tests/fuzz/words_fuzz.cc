// Fuzzes words: the terms of a comment, and what a question looks for. The first byte draws a
// stemmer, a line the question, the rest is the comment's text.
#include <algorithm>
#include <string>

#include "fuzz.h"
#include "words/cutter.h"
#include "words/marks.h"
#include "words/question.h"
#include "words/terms.h"

namespace quire::fuzz {
namespace {

using namespace words;

void check_pieces(std::string_view text) {
  static Cutter cutter;
  std::uint32_t begin = 0, end = 0;
  for (const auto& piece : cutter.cut(text)) {
    require(begin <= piece.begin && end <= piece.end, "pieces are in order");
    require(piece.begin < piece.end && piece.end <= text.size(), "pieces are of the text");
    require(!cutter.form(piece).empty(), "a piece has a form");
    begin = piece.begin;
    end = piece.end;
  }
}

void check_terms(const std::vector<std::string>& terms, Stemmer stemmer) {
  require(terms.front() == hidden_term(stemmer), "the first term names the stemmer");
  require(std::adjacent_find(terms.begin(), terms.end(), std::greater_equal<>()) == terms.end(),
          "terms are sorted, each once");
  for (const auto& term : terms) {
    require(!term.empty() && term.size() <= max_term, "a term has a limit");
    require(term.find('\0') == term.npos, "a term has no zero");
  }
}

void check_marks(const std::vector<Mark>& marks, std::size_t size) {
  require(!marks.empty(), "the words of a title are marked");
  std::size_t at = 0;
  for (auto mark : marks) {
    require(at <= mark.begin && mark.begin < mark.end && mark.end <= size, "marks are in order");
    at = mark.end;
  }
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire::fuzz;
  static Terms of_comments;
  auto text = text_of(data, size);
  auto stemmer = static_cast<Stemmer>(take_byte(text) % stemmers);
  auto asked = take_until(text, "\n");
  check_pieces(asked);
  check_pieces(text);
  auto terms = of_comments.of(asked, text, code_of(stemmer));
  check_terms(terms, stemmer);
  auto question = parse_question(asked, all_stemmers);
  if (question) {
    require(matches(*question, terms), "the words of a title are found");
    check_marks(Marks(*question).in(asked, code_of(stemmer)), asked.size());
  } else {
    require(question.error().message.ends_with("."), "a refusal says why");
  }
  return 0;
}
