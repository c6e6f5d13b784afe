#include "page_cache/sketch.h"

#include <algorithm>
#include <bit>

namespace quire::page_cache {
namespace {

// The four counters of a key lie in one cache line: two words for each row.
constexpr unsigned rows = 4;
constexpr std::size_t words_a_row = 2, words_a_block = rows * words_a_row;
constexpr std::uint64_t counter_max = 15;

constexpr std::size_t keys_an_entry = 10;  // between halvings, as in the paper

}  // namespace

FrequencySketch::FrequencySketch(std::size_t entries)
    : words_(std::bit_ceil(std::max(entries, words_a_block))),
      sample_(keys_an_entry * words_.size()) {}

// The upper half of the hash chooses the block, eight bits of the lower half each row's counter.
FrequencySketch::Counter FrequencySketch::counter(std::uint64_t hash, unsigned row) const {
  std::size_t blocks = words_.size() / words_a_block;
  std::size_t block = (hash >> 32) & (blocks - 1);
  auto bits = static_cast<unsigned>(hash >> (8 * row));
  return {block * words_a_block + row * words_a_row + (bits & 1), 4 * (bits >> 1 & 15)};
}

void FrequencySketch::add(std::uint64_t hash) {
  bool added = false;
  for (unsigned row = 0; row < rows; ++row) {
    auto [word, shift] = counter(hash, row);
    if ((words_[word] >> shift & counter_max) == counter_max) continue;
    words_[word] += std::uint64_t{1} << shift;
    added = true;
  }
  if (added && ++added_ == sample_) halve();
}

unsigned FrequencySketch::estimate(std::uint64_t hash) const {
  auto least = counter_max;
  for (unsigned row = 0; row < rows; ++row) {
    auto [word, shift] = counter(hash, row);
    least = std::min(least, words_[word] >> shift & counter_max);
  }
  return static_cast<unsigned>(least);
}

void FrequencySketch::halve() {
  for (auto& word : words_) word = word >> 1 & 0x7777'7777'7777'7777;
  added_ /= 2;
}

}  // namespace quire::page_cache
