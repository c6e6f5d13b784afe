#include "listing/bitmap/indexed.h"

#include "listing/bitmap/bitmap_listing.h"

namespace quire::bitmap {
namespace {

class BitmapMaker : public ListingMaker {
 public:
  explicit BitmapMaker(bool numbered) : numbered_(numbered) {}

  Awaitable<Result<std::unique_ptr<Listing>>> open(View& view, const Filter& filter, SortBy sort,
                                                   const Counts& counts, Opening opening) override {
    bool numbered = numbered_ && opening.numbered != Opening::Numbered::no;
    Numbers numbers{numbered ? Numbers::Kind::exact : Numbers::Kind::none};
    auto listing =
        std::make_unique<BitmapListing>(Opened{view, filter, sort, opening, std::move(numbers)});
    auto measured = co_await listing->measure(counts);
    if (!measured) co_return measured.error();
    co_return std::unique_ptr<Listing>(std::move(listing));
  }
  Awaitable<std::optional<IndexStatus>> index_status() override { co_return std::nullopt; }

 private:
  const bool numbered_;
};

}  // namespace

std::unique_ptr<ListingMaker> listings(bool numbered) {
  return std::make_unique<BitmapMaker>(numbered);
}

}  // namespace quire::bitmap
