// Random numbers that are the same on every machine: no distribution of the standard library, whose
// results are not specified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace quire::cli {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  // From 0, below 1.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  // From 0, below `end`.
  std::size_t below(std::size_t end) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(end));
  }
  // A row, each as probable as its member `weight`, which add up to 1.
  template <class Weighted>
  const Weighted& pick(const std::vector<Weighted>& rows) {
    double point = uniform();
    for (const auto& row : rows) {
      if (point < row.weight) return row;
      point -= row.weight;
    }
    return rows.back();
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace quire::cli
