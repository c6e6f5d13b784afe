// Compares a page index that holds facets with another that is known to be right.
#pragma once

#include <string>

#include "projection/compare.h"

namespace quire::projection {

// Of one product: each comment with its values, in the facets that both hold. Holds a thousand
// comments of each at a time. Both hold facets.
Awaitable<Result<Differences>> compare_facets(PageIndex& truth, PageIndex& index,
                                              std::string product);

}  // namespace quire::projection
