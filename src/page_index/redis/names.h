// The names of the products and languages that the page index in Redis has.
#pragma once

#include <string>
#include <vector>

#include "model/facets.h"
#include "page_index/redis/buckets.h"

namespace quire::redis {

// See PageIndex. Asks each bucket for a few products, and again those that have more.
Awaitable<Result<std::vector<std::string>>> products(Buckets& buckets, std::string after,
                                                     std::size_t limit);

Awaitable<Result<std::vector<FacetValue>>> languages(Buckets& buckets, std::string product);

}  // namespace quire::redis
