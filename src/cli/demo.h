// Fills a store with the demo, for `quire generate --demo` and `quire serve --demo`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "loop/awaitable.h"
#include "quire/facet.h"
#include "quire/result.h"
#include "store/store.h"

namespace quire::cli {

// Declares the facets that the store does not have. forbidden: it keeps none.
Awaitable<Status> declare_missing(Store& store, std::vector<Facet> wanted);

struct FilledDemo {
  std::size_t added = 0;
  std::size_t known = 0;  // from an earlier time
};

// Declares its facets, and adds what the store lacks of its products, comments and reports.
// forbidden: the store keeps no facets, facts or reports. Errors of the store.
Result<FilledDemo> fill_demo(Store& store);

// Whether the store has no comments and no facts. unavailable.
Result<bool> is_empty(Store& store);

// The product with most 5-rated comments; empty: there is none, or the store does not answer.
Awaitable<std::string> busiest_product(Store& store);

}  // namespace quire::cli
