// Counts of values as the interface shows them.
#pragma once

#include "bitmap_index/reading/counts.h"
#include "quire/facet.h"

namespace quire::bitmap {

// How many values of an open set are given.
inline constexpr std::size_t max_values = 100;

// Flags and ratings in their order; a closed choice in the order of its values; languages by text;
// other texts the most frequent first, at most max_values of them. `reader` may be null where
// nothing is counted. Throws lmdb::Damaged: a text is missing.
FacetCounts shown(bitmap_index::Reader* reader, const SchemaFacet& facet,
                  bitmap_index::ValueCounts counts);

}  // namespace quire::bitmap
