// Sets of positions as bits. Bit i of word i / 64 is position i. The bits behind the last position
// are 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lmdb/numbers.h"

namespace quire::bitmap_index {

using lmdb::load;

// Copies `count` bits of `from`, from bit `first` on, to bit `at` of `to` and on, where all bits
// are 0. `from` need not be aligned; no byte behind the word of the last bit is read.
inline void copy_bits(std::uint64_t* to, std::size_t at, const char* from, std::size_t first,
                      std::size_t count) {
  if (at % 64 == 0 && first % 64 == 0) {  // whole words
    auto words = count / 64;
    std::memcpy(to + at / 64, from + first / 8, words * 8);
    at += words * 64;
    first += words * 64;
    count %= 64;
  }
  auto word = [&](std::size_t i) { return load<std::uint64_t>(from + i * 8); };
  while (count > 0) {
    std::size_t taken = std::min<std::size_t>(64 - at % 64, count), shift = first % 64;
    std::uint64_t bits = word(first / 64) >> shift;
    if (shift + taken > 64) bits |= word(first / 64 + 1) << (64 - shift);
    if (taken < 64) bits &= (std::uint64_t{1} << taken) - 1;
    to[at / 64] |= bits << at % 64;
    at += taken;
    first += taken;
    count -= taken;
  }
}

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
