#include "words/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "words/cutter.h"
#include "words/terms.h"

namespace quire::words {
namespace {

Error refusal(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), "q"};
}

// Absent: the text is no UTF-8.
std::optional<std::size_t> characters_of(std::string_view text) {
  std::size_t characters = 0;
  auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < size; ++characters) {
    UChar32 c = 0;
    U8_NEXT(text.data(), at, size, c);
    if (c < 0) return {};
  }
  return characters;
}

void add(std::vector<Form>& forms, Form form) {
  if (form.of == 0) return;
  for (auto& same : forms) {
    if (same.term != form.term) continue;
    same.of |= form.of;
    return;
  }
  forms.push_back(std::move(form));
}

// A word is what the stemmers make of it. A longer beginning than kept_of_long may be part of a
// term that was cut, and is looked for as a whole word.
std::vector<Form> forms_of(std::string_view word, bool hangul, Stems& stems, Stemmers stemmers) {
  std::vector<Form> forms;
  auto unstemmed_too = stemmers & only(unstemmed);
  for (Stemmer stemmer = 0; stemmer < quire::words::stemmers; ++stemmer) {
    if (!(stemmers & only(stemmer))) continue;
    auto term = term_of(word, stems, stemmer);
    bool begins = hangul && term.size() <= kept_of_long;
    add(forms, {std::move(term), begins, only(stemmer) | unstemmed_too});
  }
  return forms;
}

// The pairs of a run, or its only character: stemmers leave these alone.
void add_run(std::span<const Piece> run, const Cutter& cutter, Stemmers stemmers, Word& word) {
  for (std::size_t i = 0; i + 1 < std::max<std::size_t>(run.size(), 2); ++i) {
    std::string form(cutter.form(run[i]));
    if (run.size() > 1) form += cutter.form(run[i + 1]);
    std::vector<Form> forms;
    add(forms, {term_of(form), false, stemmers});
    word.all.push_back(std::move(forms));
  }
}

bool has(std::span<const std::string> terms, const Form& form) {
  auto at = std::lower_bound(terms.begin(), terms.end(), form.term);
  if (at == terms.end()) return false;
  return form.begins ? at->starts_with(form.term) : *at == form.term;
}

}  // namespace

Result<Question> parse_question(std::string_view text, Stemmers stemmers) {
  auto characters = characters_of(text);
  if (!characters) return refusal("The words to look for are no UTF-8. Encode them as UTF-8.");
  if (*characters > max_question_characters)
    return refusal(
        fmt::format("The words to look for have {} characters, {} at most. Shorten them.",
                    *characters, max_question_characters));
  thread_local Cutter cutter;  // ICU takes long to make one
  thread_local Stems stems;
  auto pieces = cutter.cut(text);
  if (pieces.empty())
    return refusal("There is no word to look for: a word has a letter or a digit.");
  auto typed = std::size_t{pieces.back().typed} + 1;
  if (typed > max_question_words)
    return refusal(fmt::format("There are {} words to look for, {} at most. Leave some out.", typed,
                               max_question_words));
  Question question;
  question.words.resize(typed);
  for (std::size_t i = 0; i < typed; ++i) {
    auto& word = question.words[i];
    auto [first, last] = std::equal_range(
        pieces.begin(), pieces.end(), Piece{.typed = static_cast<std::uint32_t>(i)},
        [](const Piece& a, const Piece& b) { return a.typed < b.typed; });
    std::span<const Piece> of_word(first, last);
    word.typed = text.substr(of_word.front().begin, of_word.back().end - of_word.front().begin);
    if (of_word.front().kind == Piece::Kind::character) {
      add_run(of_word, cutter, stemmers, word);
      continue;
    }
    for (const auto& piece : of_word)
      word.all.push_back(forms_of(cutter.form(piece), piece.hangul, stems, stemmers));
  }
  return question;
}

bool matches(const Question& question, std::span<const std::string> terms) {
  if (terms.empty()) return false;
  auto stemmer = stemmer_with(std::string_view(terms.front()).substr(1)).value_or(unstemmed);
  auto one_of = [&](const std::vector<Form>& forms) {
    return std::any_of(forms.begin(), forms.end(), [&](const Form& form) {
      return (form.of & only(stemmer)) && has(terms, form);
    });
  };
  return std::all_of(question.words.begin(), question.words.end(), [&](const Word& word) {
    return std::all_of(word.all.begin(), word.all.end(), one_of);
  });
}

}  // namespace quire::words
