// Tells a filter in words, for explanations.
#pragma once

#include <string>
#include <vector>

#include "model/filter.h"

namespace quire {

// "size L XL, not S", "tags all of gift red", "helpful from 3 to 10".
std::string term(const Clause& clause);
// "rating 4 5"
std::string term(ListFacet facet, const std::vector<FacetValue>& values);
// One for each facet of the filter.
std::vector<std::string> terms(const Filter& filter);

}  // namespace quire
