#include "listing/lists/maker.h"

#include "base/try.h"
#include "listing/lists/index_health.h"
#include "listing/lists/lists_listing.h"

namespace quire::lists {
namespace {

Error unsorted() {
  return {ErrorCode::invalid_parameter,
          "Lists are sorted by time or rating. Sort so, or keep an index that holds every facet: "
          "--pages lmdb:DIR.",
          "sort"};
}

class ListsMaker : public ListingMaker {
 public:
  ListsMaker(const Store& store, NumbersSource numbers, Clock clock)
      : store_(store),
        health_(numbers.index ? std::make_unique<IndexHealth>(std::move(numbers), std::move(clock))
                              : nullptr) {}

  Awaitable<Result<std::unique_ptr<Listing>>> open(View& view, const Filter& filter, SortBy sort,
                                                   const Counts& counts, Opening opening) override {
    if (sort.by_value() && sort.by != rating_number) co_return unsorted();
    if (!filter.words.empty()) CO_TRY_DONE(words_ready(view));
    std::size_t ahead = opening.neighbours == Opening::Neighbours::look;
    auto segments = segments_of(filter, counts, sort.sort, opening.limit + ahead, store_.costs());
    ListNumbers numbers;
    bool numbered = opening.numbered != Opening::Numbered::no;
    ListView& lists = *view.lists();
    if (!filter.clauses.empty()) {
      numbers = ListNumbers(uncounted(filter));
    } else if (numbered && health_) {
      numbers = co_await numbers_of_index(segments, opening.numbered);
    }
    std::unique_ptr<Listing> listing = std::make_unique<ListsListing>(
        lists, filter, sort, std::move(segments), std::move(numbers), counts, opening);
    co_return std::move(listing);
  }

  Status words_ready(View& /*view*/) override { return wordless_table(); }

  Awaitable<std::optional<IndexStatus>> index_status() override {
    if (!health_) co_return std::nullopt;
    co_return co_await health_->status();
  }

 private:
  Awaitable<ListNumbers> numbers_of_index(std::vector<Segment>& segments,
                                          Opening::Numbered numbered) {
    auto status = co_await health_->status();
    if (!status.missing.empty()) co_return ListNumbers(std::move(status.missing));
    auto deadline = Deadline::max();
    if (numbered == Opening::Numbered::if_soon)
      deadline = std::chrono::steady_clock::now() + health_->source().answer_timeout;
    ListNumbers numbers(*health_, health_->source().index->ranks(), deadline);
    co_await numbers.measure(segments);
    co_return std::move(numbers);
  }

  const Store& store_;
  const std::unique_ptr<IndexHealth> health_;  // of the index beside the store, if there is one
};

}  // namespace

std::unique_ptr<ListingMaker> listings_of(const Store& store, NumbersSource numbers, Clock clock) {
  return std::make_unique<ListsMaker>(store, std::move(numbers), std::move(clock));
}

}  // namespace quire::lists
