// Which comments of a product are asked for.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/facets.h"
#include "quire/page.h"
#include "quire/result.h"

namespace quire {

// Per facet the wanted values: sorted, each once; empty = any.
struct Filter {
  std::string product;
  std::array<std::vector<FacetValue>, facet_count> values;

  bool restricts(std::size_t facet) const { return !values[facet].empty(); }
  bool matches(const Cell& cell) const;
};

// Checks and normalises; asking for every rating is asking for any.
Result<Filter> make_filter(const Query& query);

// Tells filters apart in cursors: XXH3 of the normalised filter, its lower 32 bits.
std::uint32_t fingerprint(const Filter& filter);

}  // namespace quire
