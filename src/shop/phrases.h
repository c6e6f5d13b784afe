// Finds phrases in texts of any script.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace quire::shop {

// Whether the text has a letter or digit, so that it can be a phrase.
bool has_word(std::string_view text);

// A set of phrases. A phrase is a sequence of words, and is found wherever these words follow each
// other, whatever spaces and punctuation lie between. A word is a run of letters, digits and marks;
// in scripts without spaces (Han, kana, Thai, Lao, Khmer, Burmese) each letter is a word, so that a
// phrase is found within longer words, too.
//
// Words are compared without case, accents (marks above, below and through a letter; the marks of
// Hebrew and Arabic vowels), differences of form (full width, ligatures, mathematical letters) and
// invisible characters. Vowel signs of Indic scripts and the voicing of kana count.
//
// Immutable, so thread-safe.
class Phrases {
 public:
  Phrases() = default;
  explicit Phrases(const std::vector<std::string>& phrases);

  bool empty() const { return nodes_.size() <= 1; }
  std::size_t size() const { return size_; }
  // The part of the text that is one of the phrases: of several, one that ends first. Empty: there
  // is none. Takes time in proportion to the text's length, whatever the phrases are.
  std::string_view first_in(std::string_view text) const;
  bool in(std::string_view text) const { return !first_in(text).empty(); }

 private:
  // Aho and Corasick's automaton, over words instead of letters. A node stands for the words that
  // lead to it from the first node.
  struct Node {
    std::uint32_t fall_back = 0;  // the node of the longest end of these words that is a node
    std::uint32_t phrase = 0;     // these words end with a phrase of so many; 0: with none
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const {
      return std::hash<std::string_view>{}(word);
    }
  };

  static std::uint64_t edge(std::uint32_t node, std::uint32_t word) {
    return std::uint64_t{node} << 32 | word;
  }
  std::uint32_t next(std::uint32_t node, std::uint32_t word) const;

  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> words_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> edges_;
  std::vector<Node> nodes_ = {Node{}};
  std::size_t size_ = 0;
};

}  // namespace quire::shop
