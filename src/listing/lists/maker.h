// The maker of listings over lists: it plans which lists to read, and finds what numbers them.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "change/target.h"
#include "listing/listing.h"
#include "loop/awaitable.h"
#include "page_index/page_index.h"

namespace quire::lists {

// Where the numbers of listings come from.
struct NumbersSource {
  PageIndex* index = nullptr;           // beside the store; outlives the maker. Null: none
  std::chrono::seconds max_behind{60};  // an index that is further behind gives no numbers
  std::chrono::milliseconds answer_timeout{1000};  // with an index that was asked
  // Why an index that follows a stream gives none, as a sentence; empty: it may.
  std::function<Awaitable<std::string>(change::State)> refuses = {};
};

// The maker of listings over the lists of `store`, whose views have lists. The store must outlive
// it. Thread-safe. When it is destroyed, every loop that ran requests must have ended.
std::unique_ptr<ListingMaker> listings_of(const Store& store, NumbersSource numbers = {},
                                          Clock clock = system_ms);

}  // namespace quire::lists
