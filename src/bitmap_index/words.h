// Sets of positions as bits. Bit i of word i / 64 is position i. The bits behind the last position
// are 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lmdb/numbers.h"

namespace quire::bitmap_index {

using lmdb::load;

// Copies `count` bits of `from`, from bit `first` on, to bit `at` of `to` and on, where all bits
// are 0. `from` need not be aligned; no byte behind the word of the last bit is read.
void copy_bits(std::uint64_t* to, std::size_t at, const char* from, std::size_t first,
               std::size_t count);

using Words = std::vector<std::uint64_t>;
constexpr std::size_t words_for(std::size_t ids) {
  return (ids + 63) / 64;
}
inline bool has(const Words& words, std::size_t position) {
  return words[position / 64] >> position % 64 & 1;
}

// Words as they lie in a row, unaligned: `from` has at least the words that are asked for.
// The position of the n-th set bit; 64 times `size`: there are fewer.
std::size_t select_word(const char* from, std::size_t size, std::size_t n);
// The number of set bits below a position.
std::size_t rank_word(const char* from, std::size_t position);
void add_words(std::span<std::uint64_t> to, const char* from);  // to |= from
// Both return whether a bit is left.
bool keep_words(std::span<std::uint64_t> to, const char* from);    // to &= from
bool remove_words(std::span<std::uint64_t> to, const char* from);  // to &= ~from
std::size_t count_common(std::span<const std::uint64_t> words, const char* from);

// The same of words in memory.
inline const char* bytes_of(std::span<const std::uint64_t> words) {
  return reinterpret_cast<const char*>(words.data());
}
inline std::size_t select(std::span<const std::uint64_t> words, std::size_t n) {
  return select_word(bytes_of(words), words.size(), n);
}
inline std::size_t rank(std::span<const std::uint64_t> words, std::size_t position) {
  return rank_word(bytes_of(words), position);
}
std::size_t popcount(std::span<const std::uint64_t> words);
// The first set bit at or behind a position; 64 times the number of words: there is none.
std::size_t next_bit(std::span<const std::uint64_t> words, std::size_t position);

}  // namespace quire::bitmap_index
