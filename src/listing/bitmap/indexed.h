// Listings of a table beside a page index that holds facets: what lists select is read from lists,
// and any other filter and sort from the index, with the documents of the store.
#pragma once

#include <memory>

#include "listing/listing.h"
#include "page_index/page_index.h"

namespace quire::bitmap {

// The maker of listings over the indexes of views that keep them. `numbered`: whether pages have
// numbers.
std::unique_ptr<ListingMaker> listings(bool numbered = true);

// `lists`: the maker over the lists of `store`, numbered by the same index. `index` holds facets;
// it and the store must outlive the maker. Where the index lacks a facet, gives no numbers now, or
// fails, lists are read and entries dropped; a sort that lists do not have is then unavailable. See
// Store::lists_first(): another store's index is asked for every page. A store may have no lists.
// Thread-safe.
std::unique_ptr<ListingMaker> listings_with(std::unique_ptr<ListingMaker> lists, PageIndex& index,
                                            Store& store);

}  // namespace quire::bitmap
