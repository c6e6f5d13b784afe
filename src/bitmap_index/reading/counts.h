// How many matches have each value of a facet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bitmap_index/reading/kept_totals.h"
#include "bitmap_index/reading/reader.h"
#include "bitmap_index/reading/selection.h"
#include "loop/awaitable.h"

namespace quire::bitmap_index {

struct CountedFacet {
  FacetNumber facet;
  FacetType type;
  // Whether each value is counted. A number may have many, of which only the extremes are wanted.
  bool values = true;
};

enum class Under {
  other_facets,  // the terms of the facet itself do not hold
  whole_selection
};

// Counts the values of each facet among the ids that match, in one scan of those that are not kept.
// Long work gives the other coroutines of the loop their turn. Throws as Reader.
Awaitable<std::vector<ValueCounts>> count_values(Reader& reader, const Selection& selection,
                                                 std::span<const CountedFacet> facets, Under under,
                                                 Work& work, Keeping keeping = {});

}  // namespace quire::bitmap_index
