// Reads many items by their keys.
#pragma once

#include <vector>

#include "dynamodb/client.h"

namespace quire::dynamodb {

struct ItemsAnswer {
  std::vector<Item> items;  // those that are there, in any order
  double consumed = 0;      // read units; added to the client's figures
};

// In batches of a hundred keys, of which a few are under way at once. A batch that the service
// answers in part is asked for the rest, a limited number of times; then unavailable. Each key
// once. May not see what was written just before. On the client's loop.
Awaitable<Result<ItemsAnswer>> get_items(Client& client, std::vector<Item> keys);

}  // namespace quire::dynamodb
