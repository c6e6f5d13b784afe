// Estimates how often keys were asked for lately: a count-min sketch of 4-bit counters, which are
// halved after so many keys that old popularity fades. Einziger, Friedman and Manes, "TinyLFU: A
// Highly Efficient Cache Admission Policy", ACM Transactions on Storage, 2017.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quire::page_cache {

class FrequencySketch {
 public:
  // `entries`: about how many the cache holds. It takes 8 to 16 bytes for each.
  explicit FrequencySketch(std::size_t entries);

  // A key, by its hash, was asked for.
  void add(std::uint64_t hash);
  // How often, at most 15. Too high where keys share counters, and never too low but for halving.
  unsigned estimate(std::uint64_t hash) const;

  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

 private:
  struct Counter {
    std::size_t word;
    unsigned shift;
  };
  Counter counter(std::uint64_t hash, unsigned row) const;
  void halve();

  std::vector<std::uint64_t> words_;  // 16 counters each
  std::size_t added_ = 0;             // since the last halving, and half of those before
  std::size_t sample_;                // halves at so many
};

}  // namespace quire::page_cache
