// Counts of values as the interface shows them.
#pragma once

#include "bitmap_index/reading/counts.h"
#include "quire/facet.h"

namespace quire::bitmap {

// Flags and ratings in their order; a closed choice in the order of its values; languages by text;
// other texts the most frequent first, at most limits::counted_values of them. `reader` may be null
// where nothing is counted. Throws lmdb::Damaged: a text is missing.
FacetCounts shown(bitmap_index::Reader* reader, const SchemaFacet& facet,
                  bitmap_index::ValueCounts counts);

}  // namespace quire::bitmap
