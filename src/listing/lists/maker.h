// Makes listings of lists: plans which lists to read, and finds what numbers them.
#pragma once

#include <chrono>
#include <memory>

#include "base/clock.h"
#include "listing/listing.h"
#include "listing/lists/numbers.h"
#include "page_index/page_index.h"

namespace quire::lists {

// Where the numbers of listings come from.
struct NumbersSource {
  bool store = true;                    // the store's own ranks, where it keeps them
  PageIndex* index = nullptr;           // an index beside the store, instead; outlives the maker
  std::chrono::seconds max_behind{60};  // an index that is further behind gives no numbers
};

// Thread-safe. When it is destroyed, every loop that ran requests must have ended.
class ListsMaker : public ListingMaker {
 public:
  // The store must outlive it.
  explicit ListsMaker(const Store& store, NumbersSource numbers = {}, Clock clock = system_ms);

  Awaitable<Result<std::unique_ptr<Listing>>> open(View& view, const Filter& filter, Sort sort,
                                                   const Counts& counts, Opening opening) override;
  Awaitable<std::optional<IndexStatus>> index_status() override;

 private:
  Awaitable<ListNumbers> numbers_of_index(std::vector<Part>& parts, Opening::Numbered numbered);

  const Store& store_;
  const bool own_ranks_;
  const std::unique_ptr<IndexHealth> health_;  // of the index beside the store, if there is one
};

// The usual one.
inline std::unique_ptr<ListingMaker> listings_of(const Store& store, NumbersSource numbers = {},
                                                 Clock clock = system_ms) {
  return std::make_unique<ListsMaker>(store, numbers, std::move(clock));
}

}  // namespace quire::lists
