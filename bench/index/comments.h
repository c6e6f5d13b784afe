// The ids and values that the index is measured with: five facets as shops have them, and votes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

#include "bitmap_index/edit.h"
#include "bitmap_index/numbers.h"
#include "ids.h"
#include "quire/facet.h"

namespace quire::bench {

struct MeasuredFacet {
  bitmap_index::FacetNumber number;
  FacetType type;
  std::size_t values;  // of numbers: 0 to values - 1
  double skew;         // the greater, the more ids have the first values; 0: as votes have it
};

inline constexpr MeasuredFacet measured_facets[] = {
    {0, FacetType::choice, 20, 3}, {1, FacetType::number, 5, 2},  {2, FacetType::flag, 2, 2},
    {3, FacetType::flag, 2, 4},    {4, FacetType::choice, 50, 3}, {5, FacetType::number, 65'536, 0},
};
inline constexpr std::size_t votes = 5;  // the last of them

// The code of a facet's value.
inline bitmap_index::Value value_at(const MeasuredFacet& facet, std::size_t at) {
  if (facet.type == FacetType::choice) return {facet.number, at * 0x9E3779B97F4A7C15};
  if (facet.type == FacetType::flag) return {facet.number, at};
  auto code = bitmap_index::encode_number(static_cast<std::int64_t>(at));
  return {facet.number, code.code, code.rest, true};
}

// The same comments in every run.
class MeasuredComments {
 public:
  explicit MeasuredComments(std::uint64_t count) : ids_(count) {}

  Ulid next_id() { return ids_.next(); }

  // Sorted by facet; each facet has one value.
  std::vector<bitmap_index::Value> next_values() {
    std::vector<bitmap_index::Value> values;
    values.reserve(std::size(measured_facets));
    for (const auto& facet : measured_facets) values.push_back(value_at(facet, skewed(facet)));
    return values;
  }

  std::size_t skewed(const MeasuredFacet& facet) {
    auto values = static_cast<double>(facet.values);
    auto lot = static_cast<double>(random_() >> 11) * 0x1p-53;
    if (facet.skew > 0) return static_cast<std::size_t>(std::pow(lot, facet.skew) * values);
    // Pareto: more than half have none, and few have many.
    return static_cast<std::size_t>(std::min(std::pow(1 - lot, -1 / 1.2) - 1, values - 1));
  }

  std::uint64_t below(std::uint64_t end) { return random_() % end; }

 private:
  Ids ids_;
  std::mt19937_64 random_{7};
};

}  // namespace quire::bench
