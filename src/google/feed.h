// The published comments of a store as Google's feed of product reviews.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "google/feed_files.h"
#include "loop/awaitable.h"
#include "quire/result.h"
#include "store/store.h"

namespace quire::google {

// The name of the feed's publisher, of a shop with this name: that of its pages.
inline std::string publisher_of(const std::string& shop) {
  return shop.empty() ? "Quire" : shop;
}

struct FeedCounts {
  std::uint64_t reviews = 0;
  // Left out:
  std::uint64_t without_text = 0;  // ratings alone
  std::uint64_t without_url = 0;   // of products without a page of the shop's own
  std::uint64_t damaged = 0;

  friend bool operator==(const FeedCounts&, const FeedCounts&) = default;
};

// Adds all published comments to the files, and finishes these. Reads the store from its beginning
// to its end, in one view; memory does not depend on how many comments there are.
// `product_url`: of products that tell none, with {product}; empty: there is none. `stopped`: is
// asked now and then, and makes the work end. unavailable: it was stopped, or the store or the
// files cannot be read or written.
Awaitable<Result<FeedCounts>> write_feed(Store& store, std::string product_url, FeedFiles& files,
                                         std::function<bool()> stopped);

}  // namespace quire::google
