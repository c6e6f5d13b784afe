// Counts of languages and ratings, from the counts of a product.
#pragma once

#include <span>

#include "listing/listing.h"

namespace quire::lists {

// Other facets are missing, and so are all where the filter has a rest: nothing counts them.
CountedFacets count_cells(const Counts& counts, const Filter& filter,
                          std::span<const SchemaFacet> facets, Under under);

// Says that nothing numbers or counts comments under this filter's rest, which is not empty.
std::string uncounted(const Filter& filter);

}  // namespace quire::lists
