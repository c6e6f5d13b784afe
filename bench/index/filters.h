// Random filters of the measured comments.
#pragma once

#include <algorithm>

#include "bitmap_index/reading/selection.h"
#include "comments.h"

namespace quire::bench {

// One value, or sometimes up to four, of each of so many facets.
inline bitmap_index::Selection random_filter(MeasuredComments& comments, std::size_t facets) {
  bitmap_index::Selection selection;
  for (std::size_t i = 0; i < votes; ++i) {
    if (comments.below(votes - i) >= facets) continue;
    --facets;
    const auto& facet = measured_facets[i];
    bitmap_index::Term term{facet.number};
    auto values = comments.below(3) == 0 ? 1 + comments.below(4) : 1;
    for (; values > 0; --values)
      term.any_of.push_back(value_at(facet, comments.skewed(facet)).code);
    std::sort(term.any_of.begin(), term.any_of.end());
    term.any_of.erase(std::unique(term.any_of.begin(), term.any_of.end()), term.any_of.end());
    selection.terms.push_back(term);
  }
  return selection;
}

}  // namespace quire::bench
