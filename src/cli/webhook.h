// What operators are told of the webhooks of an embedded store.
#pragma once

#include <string>
#include <vector>

#include "shop/shop.h"

namespace quire::cli {

// A sentence for each webhook of the shop that fails now, or that its receiver has ended. Empty,
// where the store has no file of that or it cannot be read. `store`: its address.
std::vector<std::string> webhook_troubles(const std::string& store, const shop::Shop& shop);

}  // namespace quire::cli
