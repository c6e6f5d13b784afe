#include "words/question.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/try.h"
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

// Whether it ends with a syllable of Hangul, or with a part of one.
bool ends_in_hangul(std::string_view word) {
  UChar32 last = 0;
  auto at = static_cast<std::int32_t>(word.size());
  U8_PREV(word.data(), 0, at, last);
  return u_getIntPropertyValue(last, UCHAR_HANGUL_SYLLABLE_TYPE) != U_HST_NOT_APPLICABLE;
}

// A word is what the stemmers make of it; they leave runs alone. A longer beginning than
// kept_of_long may be part of a term that was cut, and is looked for as a whole word.
std::vector<Form> forms_of(std::string_view word, Stemmers stemmers) {
  thread_local Stems stems;
  bool hangul = ends_in_hangul(word);
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

Result<std::span<const Piece>> asked_pieces(std::string_view text, Cutter& cutter) {
  auto characters = characters_of(text);
  if (!characters) return refusal("The words to look for are no UTF-8. Encode them as UTF-8.");
  if (*characters > max_question_characters)
    return refusal(
        fmt::format("The words to look for have {} characters, {} at most. Shorten them.",
                    *characters, max_question_characters));
  auto pieces = cutter.cut(text);
  if (pieces.empty())
    return refusal("There is no word to look for: a word has a letter or a digit.");
  auto typed = std::size_t{pieces.back().typed} + 1;
  if (typed > max_question_words)
    return refusal(fmt::format("There are {} words to look for, {} at most. Leave some out.", typed,
                               max_question_words));
  return pieces;
}

// The pieces of a word as typed.
std::span<const Piece> typed_word(std::span<const Piece> pieces, std::size_t word) {
  auto [first, last] = std::equal_range(
      pieces.begin(), pieces.end(), Piece{.typed = static_cast<std::uint32_t>(word)},
      [](const Piece& a, const Piece& b) { return a.typed < b.typed; });
  return {first, last};
}

// What is looked for of a word as typed: its pieces; of a run its pairs, or its only character.
std::vector<std::string> plain_words_of(std::span<const Piece> typed, const Cutter& cutter) {
  std::vector<std::string> words;
  bool pairs = typed.front().kind == Piece::Kind::character && typed.size() > 1;
  for (std::size_t i = 0; i + pairs < typed.size(); ++i) {
    words.emplace_back(cutter.form(typed[i]));
    if (pairs) words.back() += cutter.form(typed[i + 1]);
  }
  return words;
}

bool has(std::span<const std::string> terms, const Form& form) {
  auto at = std::lower_bound(terms.begin(), terms.end(), form.term);
  if (at == terms.end()) return false;
  return form.begins ? at->starts_with(form.term) : *at == form.term;
}

}  // namespace

Result<Question> parse_question(std::string_view text, Stemmers stemmers) {
  thread_local Cutter cutter;  // ICU takes long to make one
  TRY(auto pieces, asked_pieces(text, cutter));
  Question question;
  question.words.resize(std::size_t{pieces.back().typed} + 1);
  for (std::size_t i = 0; i < question.words.size(); ++i) {
    auto of_word = typed_word(pieces, i);
    auto& word = question.words[i];
    word.typed = text.substr(of_word.front().begin, of_word.back().end - of_word.front().begin);
    for (const auto& plain : plain_words_of(of_word, cutter))
      word.all.push_back(forms_of(plain, stemmers));
  }
  return question;
}

Result<std::vector<std::string>> plain_words(std::string_view text) {
  thread_local Cutter cutter;
  TRY(auto pieces, asked_pieces(text, cutter));
  std::vector<std::string> words;
  for (std::size_t i = 0; i <= pieces.back().typed; ++i) {
    for (auto& plain : plain_words_of(typed_word(pieces, i), cutter))
      words.push_back(std::move(plain));
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

Question question_of(std::span<const std::string> plain_words, Stemmers stemmers) {
  Question question;
  for (const auto& plain : plain_words)
    question.words.push_back({plain, {forms_of(plain, stemmers)}});
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
