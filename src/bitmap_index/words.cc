#include "bitmap_index/words.h"

#include <algorithm>
#include <bit>
#include <cstring>

// A compiler may only use vectors that every machine has. With this it makes a function for wider
// ones, too, and the right one is chosen when the program begins; sanitizers begin later.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && !defined(__clang__) && \
    !defined(QUIRE_SANITIZED)
#define QUIRE_WIDE [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")]]
#else
#define QUIRE_WIDE
#endif

namespace quire::bitmap_index {
namespace {

// Counts bits without the instruction for it, which not every machine has, and without a call of
// the compiler's own function for a word. The loop is one that compilers make vectors of. Each byte
// of a word first counts its own bits, and bytes are added as long as none overflows.
template <class Word>
[[gnu::always_inline]] inline std::size_t count_bits(std::size_t size, Word word) {
  constexpr std::uint64_t pairs = 0x5555555555555555, fours = 0x3333333333333333,
                          bytes = 0x0F0F0F0F0F0F0F0F, halves = 0x00FF00FF00FF00FF;
  constexpr std::size_t most = 31;  // a byte counts to 255
  std::size_t sum = 0;
  for (std::size_t from = 0; from < size; from += most) {
    std::uint64_t counts = 0;
    for (std::size_t i = from, end = std::min(from + most, size); i < end; ++i) {
      std::uint64_t bits = word(i);
      bits -= bits >> 1 & pairs;
      bits = (bits & fours) + (bits >> 2 & fours);
      counts += (bits + (bits >> 4)) & bytes;
    }
    counts = (counts & halves) + (counts >> 8 & halves);
    sum += counts * 0x0001000100010001 >> 48;
  }
  return sum;
}

// The position of the n-th set bit of a word.
std::size_t select_in_word(std::uint64_t word, std::size_t n) {
  for (; n > 0; --n) word &= word - 1;
  return static_cast<std::size_t>(std::countr_zero(word));
}

// Copies at most 64 bits, into one word. Returns how many.
std::size_t copy_some(std::uint64_t* to, std::size_t at, const char* from, std::size_t first,
                      std::size_t count) {
  std::size_t taken = std::min<std::size_t>(64 - at % 64, count), shift = first % 64;
  auto word = [&](std::size_t i) { return load<std::uint64_t>(from + i * 8); };
  std::uint64_t bits = word(first / 64) >> shift;
  if (shift + taken > 64) bits |= word(first / 64 + 1) << (64 - shift);
  if (taken < 64) bits &= (std::uint64_t{1} << taken) - 1;
  to[at / 64] |= bits << at % 64;
  return taken;
}

// Each word of `to` begins at bit `shift` of a word of `from`, 1 to 63.
QUIRE_WIDE void copy_shifted(std::uint64_t* to, std::size_t words, const char* from,
                             std::size_t shift) {
  for (std::size_t i = 0; i < words; ++i, from += 8) {
    auto low = load<std::uint64_t>(from), high = load<std::uint64_t>(from + 8);
    to[i] = low >> shift | high << (64 - shift);
  }
}

}  // namespace

void copy_bits(std::uint64_t* to, std::size_t at, const char* from, std::size_t first,
               std::size_t count) {
  auto done = [&](std::size_t bits) {
    at += bits;
    first += bits;
    count -= bits;
  };
  if (at % 64 != 0 && count > 0) done(copy_some(to, at, from, first, count));
  auto words = count / 64, shift = first % 64;
  const auto* source = from + first / 64 * 8;
  if (words > 0 && shift > 0)
    copy_shifted(to + at / 64, words, source, shift);
  else if (words > 0)
    std::memcpy(to + at / 64, source, words * 8);
  done(words * 64);
  if (count > 0) copy_some(to, at, from, first, count);
}

std::size_t select_word(const char* from, std::size_t size, std::size_t n) {
  for (std::size_t i = 0; i < size; ++i) {
    auto word = load<std::uint64_t>(from + i * 8);
    auto in_word = count_bits(1, [=](std::size_t) { return word; });
    if (n < in_word) return i * 64 + select_in_word(word, n);
    n -= in_word;
  }
  return size * 64;
}

std::size_t rank_word(const char* from, std::size_t position) {
  auto below = (std::uint64_t{1} << position % 64) - 1;
  auto last = position / 64;
  return count_bits(last + (below != 0), [=](std::size_t i) {
    auto word = load<std::uint64_t>(from + i * 8);
    return i == last ? word & below : word;
  });
}

QUIRE_WIDE std::size_t popcount(std::span<const std::uint64_t> words) {
  const auto* at = words.data();
  return count_bits(words.size(), [=](std::size_t i) { return at[i]; });
}

std::size_t next_bit(std::span<const std::uint64_t> words, std::size_t position) {
  if (position / 64 >= words.size()) return words.size() * 64;
  auto at = position / 64;
  auto word = words[at] & ~std::uint64_t{0} << position % 64;
  while (word == 0) {
    if (++at == words.size()) return words.size() * 64;
    word = words[at];
  }
  return at * 64 + static_cast<std::size_t>(std::countr_zero(word));
}

QUIRE_WIDE std::size_t count_common(std::span<const std::uint64_t> words, const char* from) {
  const auto* at = words.data();
  return count_bits(words.size(),
                    [=](std::size_t i) { return at[i] & load<std::uint64_t>(from + i * 8); });
}

QUIRE_WIDE void add_words(std::span<std::uint64_t> to, const char* from) {
  auto* at = to.data();
  for (std::size_t i = 0, end = to.size(); i < end; ++i) at[i] |= load<std::uint64_t>(from + i * 8);
}

QUIRE_WIDE bool keep_words(std::span<std::uint64_t> to, const char* from) {
  auto* at = to.data();
  std::uint64_t left = 0;
  for (std::size_t i = 0, end = to.size(); i < end; ++i)
    left |= at[i] &= load<std::uint64_t>(from + i * 8);
  return left != 0;
}

QUIRE_WIDE bool remove_words(std::span<std::uint64_t> to, const char* from) {
  auto* at = to.data();
  std::uint64_t left = 0;
  for (std::size_t i = 0, end = to.size(); i < end; ++i)
    left |= at[i] &= ~load<std::uint64_t>(from + i * 8);
  return left != 0;
}

}  // namespace quire::bitmap_index
