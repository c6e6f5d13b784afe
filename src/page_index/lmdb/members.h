// Reads what bitmaps hold of each comment.
#pragma once

#include <optional>
#include <vector>

#include "bitmap_index/reading/reader.h"
#include "page_index/page_index.h"

namespace quire::page_index {

// The comments of a product, oldest first, strictly after `after`, with their values of the
// facets. Throws as Reader.
std::vector<IndexedComment> read_members(bitmap_index::Reader& reader, const Schema& schema,
                                         std::optional<Ulid> after, std::size_t limit);

}  // namespace quire::page_index
