// How many matches have each value of a facet.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

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

struct ValueCounts {
  std::vector<ValueCount> values = {};  // by code; values without matches are left out
  std::uint64_t ids = 0;                // matches that have a value
  // Of a number: the least and the greatest. Absent: no match has one.
  std::optional<std::pair<std::int64_t, std::int64_t>> extremes = {};
  std::uint64_t total = 0;  // matches, with or without a value
};

// Counts the values of each facet among the ids that match, in one scan. Long work gives the other
// coroutines of the loop their turn. Throws as Reader.
Awaitable<std::vector<ValueCounts>> count_values(Reader& reader, const Selection& selection,
                                                 std::span<const CountedFacet> facets, Under under,
                                                 Work& work);

}  // namespace quire::bitmap_index
