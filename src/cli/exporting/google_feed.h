// Google's feed of product reviews, to standard output.
#pragma once

#include <string>

#include "store/store.h"

namespace quire::cli {

// Prints the feed, or with `zip` a .zip of its files, and says on standard error what is left out.
// `shop`: the shop file; empty: there is none. The exit status.
int export_google_feed(Store& store, const std::string& shop, bool zip);

}  // namespace quire::cli
