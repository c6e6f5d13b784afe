// Listings of a table beside a page index that holds facets: what lists select is read from lists,
// and any other filter and sort from the index, with the documents by their ids.
#pragma once

#include <chrono>
#include <memory>

#include "base/clock.h"
#include "listing/listing.h"
#include "page_index/page_index.h"

namespace quire::bitmap {

// `lists`: the maker over the table's lists, numbered by the same index. `index` holds facets, and
// must outlive the maker. Where the index lacks a facet, or gives no numbers now, lists are read
// and entries dropped; a sort that lists do not have is then unavailable. Thread-safe.
std::unique_ptr<ListingMaker> listings_with(std::unique_ptr<ListingMaker> lists, PageIndex& index);

// Why an index that holds these facets cannot answer the filter and the sort, as a sentence; empty:
// it can.
std::string cannot_answer(const Schema& held, const Filter& filter, SortBy sort);

}  // namespace quire::bitmap
