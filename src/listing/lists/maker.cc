#include "listing/lists/maker.h"

#include "listing/lists/lists_listing.h"

namespace quire::lists {

ListsMaker::ListsMaker(const Store& store, NumbersSource numbers, Clock clock)
    : store_(store),
      own_ranks_(numbers.store && !numbers.index),
      health_(numbers.index ? std::make_unique<IndexHealth>(*numbers.index, numbers.max_behind,
                                                            std::move(clock))
                            : nullptr) {}

Awaitable<Result<std::unique_ptr<Listing>>> ListsMaker::open(View& view, const Filter& filter,
                                                             Sort sort, const Counts& counts,
                                                             Opening opening) {
  std::size_t ahead = opening.neighbours == Opening::Neighbours::look;
  auto parts = parts_of(filter, counts, sort, opening.limit + ahead, store_.costs());
  ListNumbers numbers;
  bool numbered = opening.numbered != Opening::Numbered::no;
  if (numbered && health_) numbers = co_await numbers_of_index(parts, opening.numbered);
  Ranks* own = numbered && own_ranks_ ? view.ranks() : nullptr;
  if (own) numbers = ListNumbers(*own);
  std::unique_ptr<Listing> listing =
      std::make_unique<ListsListing>(view, sort, std::move(parts), std::move(numbers), opening);
  co_return std::move(listing);
}

Awaitable<ListNumbers> ListsMaker::numbers_of_index(std::vector<Part>& parts,
                                                    Opening::Numbered numbered) {
  auto status = co_await health_->status();
  if (!status.missing.empty()) co_return ListNumbers(std::move(status.missing));
  std::unique_ptr<Ranks> ranks = health_->index().ranks();
  RanksWithDeadline* with_deadline = nullptr;
  if (numbered == Opening::Numbered::if_soon) {
    auto deadline = RanksWithDeadline::Time::clock::now() + IndexHealth::patience;
    auto limited = std::make_unique<RanksWithDeadline>(std::move(ranks), deadline);
    with_deadline = limited.get();
    ranks = std::move(limited);
  }
  ListNumbers numbers(*health_, std::move(ranks), with_deadline);
  co_await numbers.measure(parts);
  co_return std::move(numbers);
}

Awaitable<std::optional<IndexStatus>> ListsMaker::index_status() {
  if (!health_) co_return std::nullopt;
  co_return co_await health_->status();
}

}  // namespace quire::lists
