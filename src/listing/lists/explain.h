// Tells how parts of a listing were read.
#pragma once

#include "listing/lists/parts.h"
#include "store/lists_view.h"

namespace quire::lists {

Explanation explain(ListView& view, const std::vector<Part>& parts, const PartsRead& found);
// Adds that the n-th comment, counted from 0, was found by the page index.
void add_search(Explanation& out, std::uint64_t n);

}  // namespace quire::lists
