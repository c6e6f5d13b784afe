// The registry of products that have comments, as it is read from the table.
#pragma once

#include <string>
#include <vector>

#include "dynamodb/client.h"

namespace quire::dynamodb {

struct RegisteredProducts {
  std::vector<std::string> names;  // in byte order
  double consumed = 0;             // read units
};

// The products after `after`, at most `limit`; fewer are all that follow. Runs on the client's
// loop.
Awaitable<Result<RegisteredProducts>> registered_products(Client& client, std::string after,
                                                          std::size_t limit);

}  // namespace quire::dynamodb
