// Filters: which comments of a product match.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/facets.h"
#include "quire/page.h"
#include "quire/result.h"

namespace quire {

// For each facet the wanted values, sorted, each once; none: any value.
struct Filter {
  std::string product;
  std::array<std::vector<FacetValue>, facet_count> values;

  bool restricts(std::size_t facet) const { return !values[facet].empty(); }
  bool matches(const Cell& cell) const;
};

// Checks and normalises the query. All ratings together are any rating. invalid_parameter.
Result<Filter> make_filter(const Query& query);

// Tells filters apart in cursors: the lower 32 bits of the XXH3 of the normalised filter.
std::uint32_t fingerprint(const Filter& filter);

}  // namespace quire
