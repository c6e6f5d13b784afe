// Generates random but repeatable comments, skewed as in real shops: few products have most of the
// comments, most ratings are 5, and most comments are English.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "quire/comment.h"
#include "quire/facet.h"

namespace quire::cli {

// Random numbers that are the same on every machine: no distribution of the standard library, whose
// results are not specified.
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

struct Generation {
  std::uint64_t comments;
  std::uint64_t products;
  std::uint64_t seed;
  bool attributes = false;  // of generated_facets()
};

class Generator {
 public:
  explicit Generator(const Generation& generation);

  // The next comment, later than the previous one; nothing after the last. The same on every
  // machine.
  std::optional<Comment> next();

 private:
  std::size_t product();
  std::string text(const std::string& language, int rating);

  Generation generation_;
  Random random_;
  Random attributes_;  // its own, so that comments are the same with and without attributes
  std::vector<double> popularity_;  // cumulative
  std::uint64_t made_ = 0;
};

// verified (flag), size (closed choice of 6), country (open choice of 50), tags, helpful (number).
const std::vector<Facet>& generated_facets();

}  // namespace quire::cli
