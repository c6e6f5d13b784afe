// Compares a page index that holds facets with another that is known to be right.
#pragma once

#include <string>

#include "projection/compare.h"

namespace quire::projection {

// Compares one product: each comment with its values, in the facets that both hold. Repairs what
// differs while it compares. Then checks the rows of `index` against each other, which are not
// repaired. Holds a thousand comments of each at a time. Both hold facets.
Awaitable<Result<std::vector<std::string>>> compare_facets(PageIndex& truth, PageIndex& index,
                                                           std::string product,
                                                           Repairing repairing);

}  // namespace quire::projection
