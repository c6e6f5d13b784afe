#include "words/cutter.h"

#include <unicode/bytestream.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/letters.h"

namespace quire::words {
namespace {

constexpr int max_marks = 30;  // in a row: Unicode's bound for streams (UAX #15, section 13)

bool is_mark(UChar32 c) {
  return U_GET_GC_MASK(c) & U_GC_M_MASK;
}

// A soft hyphen, a joiner and their kind, which show nothing and part no word. The space of no
// width does.
bool is_invisible(UChar32 c) {
  return c >= 0x80 && c != 0x200B && u_charType(c) == U_FORMAT_CHAR &&
         u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

// Marks for voiced kana of half width, which are letters for Unicode.
bool is_voicing(UChar32 c) {
  return c == 0xFF9E || c == 0xFF9F;
}

bool is_syllable(UChar32 c) {
  return c >= 0xAC00 && c <= 0xD7A3;
}

// A part of a syllable of Hangul.
bool is_jamo(UChar32 c) {
  auto type = u_getIntPropertyValue(c, UCHAR_HANGUL_SYLLABLE_TYPE);
  return type == U_HST_LEADING_JAMO || type == U_HST_VOWEL_JAMO || type == U_HST_TRAILING_JAMO;
}

// Those of keyboards, of good print, of Ukrainian and of Hebrew.
bool is_apostrophe(UChar32 c) {
  return c == '\'' || c == 0x2018 || c == 0x2019 || c == 0x02BC || c == 0x05F3;
}

// Such as ½ and ™, whose parts are letters and digits. Circled letters are letters.
bool is_sign_of_letters(UChar32 c) {
  return U_GET_GC_MASK(c) & (U_GC_NO_MASK | U_GC_S_MASK) && !u_isUAlphabetic(c);
}

bool is_digit(UChar32 c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

// Whether a sign of ASCII is within a word as typed.
bool joins(char before, char sign, char after) {
  if (is_letter(before) && is_letter(after)) return sign == '.' || sign == '\'';
  bool in_number = sign == '.' || sign == '\'' || sign == ',' || sign == ';';
  return in_number && is_digit(before) && is_digit(after);
}

}  // namespace

Cutter::Cutter() {
  UErrorCode code = U_ZERO_ERROR;
  breaks_.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), code));
  if (U_FAILURE(code)) throw std::runtime_error("ICU has no data to find words by.");
}

std::span<const Piece> Cutter::cut(std::string_view text) {
  text_ = text;
  pieces_.clear();
  forms_.clear();
  form_ = 0;
  typed_ = 0;
  if (std::all_of(text.begin(), text.end(), is_ascii)) {
    cut_ascii();
    return pieces_;
  }
  read();
  view_.setTo(false, letters_.data(), static_cast<std::int32_t>(letters_.size()));
  breaks_->setText(view_);
  std::size_t run = 0;
  for (std::int32_t begin = breaks_->first(), end = breaks_->next();
       end != icu::BreakIterator::DONE; begin = end, end = breaks_->next()) {
    cut_runs(run, begin);
    cut_word(begin, end);
  }
  cut_runs(run, std::numeric_limits<std::int32_t>::max());
  return pieces_;
}

// As ICU does: in half of the time, and half of all texts are such.
void Cutter::cut_ascii() {
  auto pieces = pieces_.size();
  for (std::size_t i = 0; i < text_.size(); ++i) {
    bool inner = i > 0 && i + 1 < text_.size() && joins(text_[i - 1], text_[i], text_[i + 1]);
    if (inner || is_letter(text_[i]) || is_digit(text_[i]) || text_[i] == '_') {
      at_ = static_cast<std::uint32_t>(i);
      after_ = at_ + 1;
      take(text_[i]);
    } else if (pieces_.size() > pieces || last_ != 0) {
      pieces = end_typed(pieces);
    }
  }
  end_typed(pieces);
}

// Marks and invisible characters stay with the run that they follow, and so does what both kana
// write, such as the sign of a long vowel.
Cutter::Script Cutter::script_of(UChar32 c, Script before) {
  if (before != Script::other && (is_mark(c) || is_invisible(c))) return before;
  if (is_syllable(c)) return Script::hangul;
  bool possible = c >= 0x2E80 || (c >= 0x1100 && c <= 0x11FF);  // no others are before or between
  if (!possible || !(U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_NL_MASK))) return Script::other;
  if (uscript_hasScript(c, USCRIPT_HAN)) return Script::han_or_hiragana;
  if (uscript_hasScript(c, USCRIPT_HANGUL)) return Script::hangul;
  bool hiragana = uscript_hasScript(c, USCRIPT_HIRAGANA);
  bool katakana = uscript_hasScript(c, USCRIPT_KATAKANA);
  if (!hiragana && !katakana) return Script::other;
  bool kana = before == Script::han_or_hiragana || before == Script::katakana;
  if (hiragana && katakana && kana) return before;
  return katakana ? Script::katakana : Script::han_or_hiragana;
}

void Cutter::read() {
  letters_.clear();
  offsets_.clear();
  runs_.clear();
  auto script = Script::other;
  auto size = static_cast<std::int32_t>(text_.size());
  for (std::int32_t at = 0; at < size;) {
    auto begin = static_cast<std::uint32_t>(at);
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(text_.data(), at, size, c);
    auto before = std::exchange(script, script_of(c, script));
    auto end = static_cast<std::uint32_t>(at);
    if (script != Script::other) {
      auto unit = static_cast<std::int32_t>(letters_.size());
      if (script != before) runs_.push_back({script, unit, begin, end});
      runs_.back().end = end;
      c = ' ';
    }
    UChar units[2];
    std::int32_t count = 0;
    U16_APPEND_UNSAFE(units, count, c);
    letters_.append(units, static_cast<std::size_t>(count));
    offsets_.insert(offsets_.end(), static_cast<std::size_t>(count), begin);
  }
  offsets_.push_back(static_cast<std::uint32_t>(size));
}

// Those that begin before a unit.
void Cutter::cut_runs(std::size_t& next, std::int32_t before) {
  for (; next < runs_.size() && runs_[next].unit < before; ++next) cut_run(runs_[next]);
}

void Cutter::cut_run(const Run& run) {
  auto kind = run.script == Script::han_or_hiragana ? Piece::Kind::character : Piece::Kind::word;
  auto pieces = pieces_.size();
  auto end = static_cast<std::int32_t>(run.end);
  for (auto at = static_cast<std::int32_t>(run.begin); at < end;) {
    at_ = static_cast<std::uint32_t>(at);
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(text_.data(), at, end, c);
    after_ = static_cast<std::uint32_t>(at);
    bool begins = !is_mark(c) && !is_voicing(c) && !is_invisible(c);
    if (kind == Piece::Kind::character && begins) end_piece(kind);
    take(c);
  }
  end_typed(pieces, kind);
}

void Cutter::cut_word(std::int32_t begin, std::int32_t end) {
  auto pieces = pieces_.size();
  for (auto at = begin; at < end;) {
    at_ = offsets_[static_cast<std::size_t>(at)];
    UChar32 c = 0;
    U16_NEXT(letters_.data(), at, end, c);
    after_ = offsets_[static_cast<std::size_t>(at)];
    take(c);
  }
  end_typed(pieces);
}

// The end of a word as typed, before which there were so many pieces. Returns how many there are.
std::size_t Cutter::end_typed(std::size_t pieces, Piece::Kind kind) {
  end_piece(kind);
  if (pieces_.size() > pieces) ++typed_;
  return pieces_.size();
}

// Each character is looked at by itself: to normalize a whole word would sort its marks, and take
// long for a word of nothing else.
void Cutter::take(UChar32 c) {
  if (c < 0x80 || is_syllable(c)) return take_part(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  if (!case_and_form().getDecomposition(c, parts_)) return take_part(c);
  if (is_sign_of_letters(c)) return;
  const auto* units = parts_.getBuffer();
  for (std::int32_t at = 0, size = parts_.length(); at < size;) {
    UChar32 part = 0;
    U16_NEXT(units, at, size, part);
    take_part(part);
  }
}

void Cutter::take_part(UChar32 c) {
  if ((c >= 'a' && c <= 'z') || is_digit(c)) return append(c);
  auto kind = U_GET_GC_MASK(c);
  if (kind & U_GC_M_MASK) return take_mark(c);
  if (c == arabic_line) {
    if (last_ != 0) last_ = c;
    return;
  }
  bool counts = kind & (U_GC_L_MASK | U_GC_ND_MASK | U_GC_NL_MASK);
  counts && !is_apostrophe(c) ? append(plain_letter(c)) : take_sign(c);
}

void Cutter::take_mark(UChar32 mark) {
  if (last_ == 0) return;
  if (mark == 0x0306 && last_ == U'и') {  // й, on whose endings Russian stems rely
    forms_.resize(forms_.size() - std::string_view("и").size());
    return append(U'й');
  }
  end_ = after_;
  if (is_accent(mark) || U_GET_GC_MASK(mark) & U_GC_ME_MASK || marks_ == max_marks) return;
  auto marks = marks_;
  append(mark);
  marks_ = marks + 1;
  apart_ = true;
}

// What is no letter, digit or mark, and yet within a word for ICU.
void Cutter::take_sign(UChar32 c) {
  bool joins = !is_apostrophe(c) && !(U_GET_GC_MASK(c) & (U_GC_PC_MASK | U_GC_Z_MASK));
  if (joins && is_digit(last_)) return append(c);  // 3.5
  if (!joins || c == '.' || c == ':') end_piece(Piece::Kind::word);
}

void Cutter::append(UChar32 c) {
  char bytes[U8_MAX_LENGTH];
  std::int32_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, c);
  forms_.append(bytes, static_cast<std::size_t>(size));
  if (last_ == 0) begin_ = at_;
  end_ = after_;
  last_ = c;
  marks_ = 0;
  apart_ = apart_ || (c >= 0x1100 && !is_syllable(c) && is_jamo(c));
}

void Cutter::end_piece(Piece::Kind kind) {
  if (last_ == 0) return;
  if (apart_) compose();
  bool hangul = is_syllable(last_) || is_jamo(last_);
  pieces_.push_back({kind, hangul, typed_, begin_, end_, static_cast<std::uint32_t>(form_),
                     static_cast<std::uint32_t>(forms_.size() - form_)});
  form_ = forms_.size();
  last_ = 0;
  marks_ = 0;
  apart_ = false;
}

void Cutter::compose() {
  UErrorCode code = U_ZERO_ERROR;
  composed_.clear();
  icu::StringByteSink<std::string> sink(&composed_);
  auto apart = std::string_view(forms_).substr(form_);
  composition().normalizeUTF8(0, {apart.data(), static_cast<std::int32_t>(apart.size())}, sink,
                              nullptr, code);
  if (U_FAILURE(code)) throw std::bad_alloc();
  forms_.replace(form_, forms_.npos, composed_);
}

}  // namespace quire::words
