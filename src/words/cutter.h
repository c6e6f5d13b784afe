// Cuts a text into the pieces that are searched: by Unicode's rules for words, as ICU has them, and
// some more. docs/words.md has the rules.
#pragma once

#include <unicode/brkiter.h>
#include <unicode/unistr.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quire::words {

// A part of a text without case, accents and differences of form.
struct Piece {
  enum class Kind : std::uint8_t {
    word,       // a word, or what is left of one that was cut
    character,  // one of a run of Han and Hiragana
  };
  Kind kind;
  bool hangul;               // ends with a syllable of Hangul
  std::uint32_t typed;       // of the words of the text as written, which one it is of: 0, 1, …
  std::uint32_t begin, end;  // its bytes in the text; several pieces may be of one character
  std::uint32_t form, form_size;
};

// One thread at a time. Keeps its memory for the next text, and so the memory of the longest.
class Cutter {
 public:
  // Throws std::runtime_error where ICU lacks its data.
  Cutter();

  // The pieces, in the order of the text; neighbours in a run of Han and Hiragana are of one word
  // as written. They live until the next call. Bytes that are no UTF-8 end a word. `text` has less
  // than 256 MiB. Takes time in proportion to the text's length.
  std::span<const Piece> cut(std::string_view text);
  // The letters, digits and marks of a piece of the last text, and what is between digits of a
  // number. UTF-8, in Unicode's form C, never empty. It lives until the next cut().
  std::string_view form(const Piece& piece) const {
    return std::string_view(forms_).substr(piece.form, piece.form_size);
  }

 private:
  // ICU would look Han and kana up in a dictionary, and cut Hangul that is written apart elsewhere
  // than syllables. A run ends where another kind begins.
  enum class Script : std::uint8_t { other, han_or_hiragana, katakana, hangul };
  struct Run {
    Script script;
    std::int32_t unit;         // of letters_ where it begins
    std::uint32_t begin, end;  // its bytes in the text
  };

  static Script script_of(UChar32 c, Script before);
  void cut_ascii();
  void read();
  void cut_runs(std::size_t& next, std::int32_t before);
  void cut_run(const Run& run);
  void cut_word(std::int32_t begin, std::int32_t end);
  void take(UChar32 c);
  void take_part(UChar32 c);
  void take_mark(UChar32 mark);
  void take_sign(UChar32 c);
  void append(UChar32 c);
  void end_piece(Piece::Kind kind);
  std::size_t end_typed(std::size_t pieces, Piece::Kind kind = Piece::Kind::word);
  void compose();

  std::unique_ptr<icu::BreakIterator> breaks_;
  std::string_view text_;
  std::u16string letters_;              // the text, with spaces in place of runs
  icu::UnicodeString view_;             // of letters_
  std::vector<std::uint32_t> offsets_;  // of each unit of letters_, and of its end, in the text
  std::vector<Run> runs_;

  std::vector<Piece> pieces_;
  std::string forms_;
  std::uint32_t typed_ = 0;

  // The piece at hand, whose form is the end of forms_.
  std::size_t form_ = 0;  // where its form begins
  std::uint32_t begin_ = 0, end_ = 0;
  std::uint32_t at_ = 0, after_ = 0;  // the bytes of the present character
  UChar32 last_ = 0;                  // of its form; 0: there is none
  int marks_ = 0;                     // with which its form ends
  bool apart_ = false;                // some of its characters may have a joined form
  icu::UnicodeString parts_;
  std::string composed_;
};

}  // namespace quire::words
