// The registry of products that have comments, as it is read from the table.
#pragma once

#include <string>
#include <vector>

#include "dynamodb/client.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {

struct RegisteredProducts {
  std::vector<std::string> names;  // in byte order
  std::vector<Damage> damaged;     // items that were passed over
  double consumed = 0;             // read units
};

// At most `limit` products with valid names after `after`. Fewer than `limit` are all that follow.
// Runs on the client's loop.
Awaitable<Result<RegisteredProducts>> registered_products(Client& client, std::string after,
                                                          std::size_t limit);

}  // namespace quire::dynamodb
