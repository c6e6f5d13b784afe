// The terms of a text, each with its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "words/cutter.h"
#include "words/stemmers.h"
#include "words/terms.h"

namespace quire::words {

// Calls `use` with the term, and with the bytes of the text where it begins and ends: for each
// word, and in a run of Han and Hiragana for each character and each pair.
template <class Use>
void each_term(std::string_view text, Stemmer stemmer, Cutter& cutter, Stems& stems, Use use) {
  const Piece* before = nullptr;
  for (const auto& piece : cutter.cut(text)) {
    auto form = cutter.form(piece);
    if (piece.kind == Piece::Kind::word) {
      use(term_of(form, stems, stemmer), piece.begin, piece.end);
    } else {
      use(term_of(form), piece.begin, piece.end);
      bool goes_on =
          before != nullptr && before->kind == piece.kind && before->typed == piece.typed;
      if (goes_on)
        use(term_of(std::string(cutter.form(*before)).append(form)), before->begin, piece.end);
    }
    before = &piece;
  }
}

}  // namespace quire::words
