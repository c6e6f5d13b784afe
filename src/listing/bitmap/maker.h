// The maker of listings over bitmap indexes.
#pragma once

#include <memory>

#include "listing/bitmap/bitmap_listing.h"

namespace quire::bitmap {

// A listing over the view's own index, or over one that stands beside the store. `counts`: the
// product's.
Awaitable<Result<std::unique_ptr<Listing>>> open_listing(Opened opened, const Counts& counts);

// The maker of listings over the indexes of views that keep them. `numbered`: whether pages have
// numbers.
std::unique_ptr<ListingMaker> listings(bool numbered = true);

}  // namespace quire::bitmap
