// The words of a text, cut by hand: for the letters below, without ICU.
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quire::words {

inline std::string utf8(char32_t c) {
  std::string out;
  auto byte = [&](char32_t bits) { out += static_cast<char>(bits); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | c >> 6), byte(0x80 | (c & 63));
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63));
  } else {
    byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 63)), byte(0x80 | (c >> 6 & 63));
    byte(0x80 | (c & 63));
  }
  return out;
}

inline std::string utf8(std::u32string_view text) {
  std::string out;
  for (auto c : text) out += utf8(c);
  return out;
}

// Letters with accents and other forms, and the letters as which they are searched.
inline const std::map<char32_t, std::u32string>& plain_letters() {
  static const auto table = [] {
    std::map<char32_t, std::u32string> letters;
    auto all = [&](std::u32string_view from, const char32_t* to) {
      for (auto c : from) letters[c] = to;
    };
    all(U"ÀÁÂÃÄÅàáâãäåăĂąĄ", U"a");
    all(U"ÇçćĆčČ", U"c");
    all(U"ÈÉÊËèéêëęĘěĚ", U"e");
    all(U"ÌÍÎÏìíîïİı", U"i");
    all(U"ğĞ", U"g");
    all(U"łŁ", U"l");
    all(U"ÑñńŃ", U"n");
    all(U"ÒÓÔÕÖØòóôõöøőŐ", U"o");
    all(U"řŘ", U"r");
    all(U"śŚşŞšŠșȘ", U"s");
    all(U"țȚ", U"t");
    all(U"ÙÚÛÜùúûüűŰůŮ", U"u");
    all(U"Ýýÿ", U"y");
    all(U"źŹżŻžŽ", U"z");
    all(U"ßẞ", U"ss");
    all(U"ŒÆ", U"œ");
    letters[U'Æ'] = U"æ";
    all(U"ёЁ", U"е");
    all(U"άΆ", U"α");
    all(U"έΈ", U"ε");
    all(U"όΌ", U"ο");
    all(U"ς", U"σ");
    all(U"أإآ", U"ا");
    all(U"ؤ", U"و");
    all(U"ئ", U"ي");
    all(U"ﬁ", U"fi");
    for (char32_t c = 'A'; c <= 'Z'; ++c) {
      letters[c] = std::u32string(1, c + 32);
      letters[c - 'A' + U'Ａ'] = letters[c];  // of full width
      letters[c - 'A' + U'ａ'] = letters[c];
    }
    for (char32_t c = U'А'; c <= U'Я'; ++c) letters[c] = std::u32string(1, c + 32);
    for (char32_t c = U'Α'; c <= U'Ω'; ++c) {
      if (c != 0x3A2) letters[c] = std::u32string(1, c + 32);
    }
    for (char32_t digit = 0; digit < 10; ++digit) {
      letters[U'٠' + digit] = std::u32string(1, U'0' + digit);
      letters[U'０' + digit] = std::u32string(1, U'0' + digit);
    }
    return letters;
  }();
  return table;
}

enum class Sort { letter, hebrew, digit, hangul, run, katakana, mark, sign };

inline Sort sort_of(char32_t c, Sort before) {
  auto in = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (in(0x300, 0x36F) || in(0x64B, 0x652) || in(0x5B0, 0x5BC)) return Sort::mark;
  if (in('0', '9') || in(U'٠', U'٩') || in(U'０', U'９')) return Sort::digit;
  if (in(U'א', U'ת')) return Sort::hebrew;
  if (in(0xAC00, 0xD7A3)) return Sort::hangul;
  if (in(U'ぁ', U'ゖ') || in(0x4E00, 0x9FFF) || c == U'々') return Sort::run;
  if (c == U'ー') return before == Sort::run ? Sort::run : Sort::katakana;
  if (in(U'ァ', U'ヺ')) return Sort::katakana;
  bool latin = in('a', 'z') || in('A', 'Z') || c == U'æ' || c == U'œ' || in(U'ａ', U'ｚ');
  bool other = in(U'а', U'я') || in(U'α', U'ω') || in(0x621, 0x64A);
  return latin || other || plain_letters().contains(c) ? Sort::letter : Sort::sign;
}

// A form as Piece has it; `run`: it is a character of a run of Han and Hiragana.
struct PlainPiece {
  std::string form;
  bool run = false, hangul = false;
  bool goes_on = false;  // of a run: follows the piece before

  friend bool operator==(const PlainPiece&, const PlainPiece&) = default;
  friend std::ostream& operator<<(std::ostream& out, const PlainPiece& piece) {
    return out << piece.form << (piece.run ? " (run)" : "") << (piece.hangul ? " (Hangul)" : "");
  }
};

inline std::vector<PlainPiece> plain_pieces(std::u32string_view text) {
  std::vector<PlainPiece> pieces;
  std::string form;
  Sort last = Sort::sign;  // of the character before, marks aside
  auto end = [&](bool hangul) {
    if (!form.empty()) pieces.push_back({std::exchange(form, {}), false, hangul, false});
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = text[i];
    auto sort = sort_of(c, last);
    if (sort == Sort::mark) continue;
    if (sort == Sort::sign) {
      std::size_t j = i + 1;
      auto next = Sort::mark;
      while (j < text.size() && (next = sort_of(text[j], last)) == Sort::mark) ++j;
      bool number =
          last == Sort::digit && next == Sort::digit && (c == '.' || c == ',' || c == ';');
      bool hebrew = last == Sort::hebrew && next == Sort::hebrew && c == '"';
      auto is_letter = [](Sort of) { return of == Sort::letter || of == Sort::hebrew; };
      bool dot = is_letter(last) && is_letter(next) && (c == U'·' || c == U'״');
      if (number) form += utf8(c);
      if (number || hebrew || dot) continue;
    }
    auto joins = [](Sort of) {
      return of == Sort::letter || of == Sort::hebrew || of == Sort::digit;
    };
    if (sort != last && !(joins(sort) && joins(last))) end(last == Sort::hangul);
    if (sort == Sort::run) {
      pieces.push_back({utf8(c), true, false, last == Sort::run});
    } else if (sort != Sort::sign && c != 0x640) {  // not the line that lengthens Arabic words
      auto plain = plain_letters().find(c);
      form += plain == plain_letters().end() ? utf8(c) : utf8(plain->second);
    }
    last = sort;
  }
  end(last == Sort::hangul);
  return pieces;
}

// What is searched of a text without a stemmer: the plain pieces, and the pairs of runs.
inline std::set<std::string> plain_terms(std::u32string_view text) {
  std::set<std::string> terms;
  std::string before;
  for (const auto& piece : plain_pieces(text)) {
    terms.insert(piece.form);
    if (piece.goes_on) terms.insert(before + piece.form);
    before = piece.form;
  }
  return terms;
}

// Letters of ten languages, few enough that words repeat, with what stands between words.
inline std::u32string random_text(std::mt19937_64& random, std::size_t size) {
  static const std::u32string_view alphabets[] = {
      U"abzABZ", U"àÉçßŒñÜøıİŁ",  U"жиЁйЯ",    U"αάΣς",    U"كأئتـ\u064E", U"שלום\u05B8״\"",
      U"지퍼가", U"すご性价々ー", U"ジパーァ", U"0129٣９", U"ａＺﬁ"};
  static constexpr std::u32string_view between = U"  ..:''’_,;·!-\u0301\u0308\n";
  std::u32string text;
  auto alphabet = alphabets[random() % std::size(alphabets)];
  while (text.size() < size) {
    if (random() % 8 == 0) alphabet = alphabets[random() % std::size(alphabets)];
    auto from = random() % 4 == 0 ? between : alphabet;
    text += from[random() % from.size()];
  }
  return text;
}

}  // namespace quire::words
