#include "shop/phrases.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <functional>

#include "base/letters.h"

namespace quire::shop {
namespace {

// Whether the letter is of a script that writes no spaces between words.
bool is_word_alone(UChar32 c) {
  constexpr UChar32 first = 0x0E00;  // Thai: none comes before
  return c >= first &&
         (uscript_hasScript(c, USCRIPT_HAN) || uscript_hasScript(c, USCRIPT_KATAKANA) ||
          uscript_hasScript(c, USCRIPT_HIRAGANA) ||
          u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT);
}

// A word in the form in which words are compared, and where it is in its text.
struct Word {
  std::string form;
  std::size_t begin = 0, end = 0;
};

// Cuts a text into words, which it gives to `take`. `take` returns whether it wants more. Every
// letter is looked at by itself: to normalize a whole text would sort its marks, and take long for
// a text of nothing else.
class Cutter {
 public:
  using Take = std::function<bool(const Word&)>;

  explicit Cutter(const Take& take) : take_(take) {}

  void run(std::string_view text) {
    auto size = static_cast<std::int32_t>(text.size());
    for (std::int32_t at = 0; at < size && wanted_;) {
      UChar32 c = 0;
      letter_ = at;
      U8_NEXT(text.data(), at, size, c);
      after_ = at;
      if (c < 0) {
        end();
      } else if (c < 0x80) {
        add_ascii(static_cast<char>(c));
      } else if (case_and_form().getDecomposition(c, parts_)) {
        add_parts();
      } else {
        add(c);
      }
    }
    end();
  }

 private:
  void add_ascii(char c) {
    bool upper = c >= 'A' && c <= 'Z';
    bool other = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!upper && !other) return end();
    if (alone_) end();
    grow();
    word_.form += static_cast<char>(upper ? c + ('a' - 'A') : c);
  }

  void add_parts() {
    const auto* units = parts_.getBuffer();
    for (std::int32_t at = 0, size = parts_.length(); at < size;) {
      UChar32 c = 0;
      U16_NEXT(units, at, size, c);
      add(c);
    }
  }

  void add(UChar32 c) {
    auto kind = U_GET_GC_MASK(c);
    if (kind & U_GC_M_MASK) {
      if (!word_.form.empty()) is_accent(c) ? grow() : append(c);
      return;
    }
    if (c == arabic_line) return;
    if (!(kind & (U_GC_L_MASK | U_GC_N_MASK))) return end();
    bool alone = is_word_alone(c);
    if (alone || alone_) end();
    alone_ = alone;
    append(plain_letter(c));
  }

  void append(UChar32 c) {
    char bytes[U8_MAX_LENGTH];
    std::int32_t size = 0;
    U8_APPEND_UNSAFE(bytes, size, c);
    grow();
    word_.form.append(bytes, static_cast<std::size_t>(size));
  }

  // The word has the present letter, too.
  void grow() {
    if (word_.form.empty()) word_.begin = static_cast<std::size_t>(letter_);
    word_.end = static_cast<std::size_t>(after_);
  }

  void end() {
    if (!word_.form.empty() && wanted_) wanted_ = take_(word_);
    word_.form.clear();
    alone_ = false;
  }

  const Take& take_;
  bool wanted_ = true;
  bool alone_ = false;  // the word is a letter that is a word by itself
  Word word_;
  std::int32_t letter_ = 0, after_ = 0;  // where the present letter begins and ends
  icu::UnicodeString parts_;
};

void cut(std::string_view text, const Cutter::Take& take) {
  Cutter(take).run(text);
}

}  // namespace

bool has_word(std::string_view text) {
  bool found = false;
  cut(text, [&](const Word&) {
    found = true;
    return false;
  });
  return found;
}

Phrases::Phrases(const std::vector<std::string>& phrases) : size_(phrases.size()) {
  struct Added {
    std::uint32_t node, parent, word, depth;
  };
  std::vector<Added> places;
  for (const auto& phrase : phrases) {
    std::uint32_t node = 0, depth = 0;
    cut(phrase, [&](const Word& cut_out) {
      auto word =
          words_.emplace(cut_out.form, static_cast<std::uint32_t>(words_.size())).first->second;
      auto added = static_cast<std::uint32_t>(nodes_.size());
      auto [at, is_new] = edges_.emplace(edge(node, word), added);
      ++depth;
      if (is_new) {
        nodes_.emplace_back();
        places.push_back({added, node, word, depth});
      }
      node = at->second;
      return true;
    });
    nodes_[node].phrase = depth;
  }
  // A node falls back to one that is less deep, and so is complete already.
  std::stable_sort(places.begin(), places.end(),
                   [](const Added& a, const Added& b) { return a.depth < b.depth; });
  for (const auto& place : places) {
    if (place.depth == 1) continue;
    auto& node = nodes_[place.node];
    node.fall_back = next(nodes_[place.parent].fall_back, place.word);
    if (node.phrase == 0) node.phrase = nodes_[node.fall_back].phrase;
  }
}

std::uint32_t Phrases::next(std::uint32_t node, std::uint32_t word) const {
  for (;; node = nodes_[node].fall_back) {
    auto found = edges_.find(edge(node, word));
    if (found != edges_.end()) return found->second;
    if (node == 0) return 0;
  }
}

std::string_view Phrases::first_in(std::string_view text) const {
  if (empty()) return {};
  std::string_view found;
  std::uint32_t node = 0;
  std::vector<std::size_t> begins;  // of each word so far
  cut(text, [&](const Word& word) {
    begins.push_back(word.begin);
    auto known = words_.find(std::string_view(word.form));
    node = known == words_.end() ? 0 : next(node, known->second);
    auto words = nodes_[node].phrase;
    if (words == 0) return true;
    auto begin = begins[begins.size() - words];
    found = text.substr(begin, word.end - begin);
    return false;
  });
  return found;
}

}  // namespace quire::shop
