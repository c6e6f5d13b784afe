#include "bitmap_index/words.h"
#include "base/rounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace quire::bitmap_index {
namespace {

TEST(WordsTest, CopyBitsFromAnyPlaceToAnyPlace) {
  std::mt19937_64 random(2);
  const std::size_t places[] = {0, 1, 31, 63, 64, 65, 127, 128};
  for (std::size_t at : places) {
    for (std::size_t first : places) {
      for (std::size_t count = 0; count < 330; ++count) {
        Words from(words_for(first + count));  // ends with the last bit's word
        for (auto& word : from) word = random();
        // Not aligned, as in a row.
        std::vector<char> row(from.size() * 8 + 3);
        std::copy_n(bytes_of(from), from.size() * 8, row.begin() + 3);
        Words to(words_for(at + count) + 1);
        copy_bits(to.data(), at, row.data() + 3, first, count);
        for (std::size_t i = 0; i < to.size() * 64; ++i)
          ASSERT_EQ(has(to, i), i >= at && i - at < count && has(from, first + i - at));
      }
    }
  }
}

TEST(WordsTest, CountSelectAndCombineAsSetsDo) {
  std::mt19937_64 random(1);
  for (int round = 0; round < rounds(300); ++round) {
    std::size_t size = 1 + random() % 100;
    std::vector<bool> set(size * 64), other(size * 64);
    Words words(size), more(size);
    auto one_of = 1 + random() % 9;
    for (std::size_t at = 0; at < set.size(); ++at) {
      set[at] = random() % one_of == 0;
      other[at] = random() % 2;
      words[at / 64] |= std::uint64_t{set[at]} << at % 64;
      more[at / 64] |= std::uint64_t{other[at]} << at % 64;
    }
    std::size_t n = 0, common = 0;
    auto next = set.size();
    for (std::size_t at = 0; at < set.size(); ++at) {
      ASSERT_EQ(has(words, at), set[at]);
      ASSERT_EQ(rank(words, at), n);
      if (set[at]) {
        ASSERT_EQ(select(words, n++), at);
      }
      common += set[at] && other[at];
    }
    ASSERT_EQ(popcount(words), n);
    ASSERT_EQ(select(words, n), set.size());
    ASSERT_EQ(count_common(words, bytes_of(more)), common);
    for (auto at = set.size(); at-- > 0;) {
      if (set[at]) next = at;
      ASSERT_EQ(next_bit(words, at), next);
    }
    ASSERT_EQ(next_bit(words, set.size()), set.size());
    auto added = words, kept = words, removed = words;
    add_words(added, bytes_of(more));
    ASSERT_EQ(keep_words(kept, bytes_of(more)), common > 0);
    ASSERT_EQ(remove_words(removed, bytes_of(more)), common < n);
    for (std::size_t at = 0; at < set.size(); ++at) {
      ASSERT_EQ(has(added, at), set[at] || other[at]);
      ASSERT_EQ(has(kept, at), set[at] && other[at]);
      ASSERT_EQ(has(removed, at), set[at] && !other[at]);
    }
  }
}

}  // namespace
}  // namespace quire::bitmap_index
