// The maker of listings over bitmap indexes.
#pragma once

#include <memory>

#include "listing/listing.h"

namespace quire::bitmap {

// The maker of listings over the indexes of views that keep them. `numbered`: whether pages have
// numbers.
std::unique_ptr<ListingMaker> listings(bool numbered = true);

}  // namespace quire::bitmap
