// Questions by rank to lists, answered from bitmaps: a list is a selection of a language, a rating,
// both or none.
#pragma once

#include <memory>

#include "page_index/lmdb/databases.h"
#include "page_index/page_index.h"

namespace quire::page_index {

// The directory must outlive it. nth_of_union() does not need `length`.
std::unique_ptr<Ranks> ranks_of(Directory& directory);

}  // namespace quire::page_index
