// Fetches the documents of comments that an index beside the store has found.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bitmap_index/reading/source.h"
#include "model/entry.h"
#include "plan/fetch.h"
#include "store/store.h"

namespace quire::bitmap {

// How many comments the list of the product has from `first` to `last`, both included, in this
// order. The source has a reader. Throws as Reader.
Awaitable<std::uint64_t> spread(bitmap_index::Source& source, std::string product, Cell list,
                                Order order, Ulid first, Ulid last);

// Fetches them in this way; by their ids those that the list lacks. The entries are in this order.
Awaitable<Status> fetch(View& view, std::string_view product, Order order, const Fetch& way,
                        std::span<Entry> entries);

}  // namespace quire::bitmap
