#include "listing/bitmap/indexed.h"

#include <optional>
#include <utility>
#include <vector>

#include "listing/bitmap/maker.h"

namespace quire::bitmap {
namespace {

std::string lacking(const std::string& facet) {
  return "The page index does not hold " + facet +
         " yet. Run quire backfill, which builds the index anew.";
}

// What a listing was opened with.
struct Asked {
  View& view;
  const Filter& filter;
  SortBy sort;
  Counts counts;
  Opening opening;
};

// A listing over the index, and the facets that the index holds.
struct OfIndex {
  std::unique_ptr<Listing> listing;
  Schema held;
};

// unavailable: says why the index cannot answer.
Awaitable<Result<OfIndex>> open_index(PageIndex& index, Asked asked, bool numbered) {
  auto state = index.facet_view();
  if (!state) co_return state.error();
  Schema held = (*state)->schema();
  auto lacks = cannot_answer(held, asked.filter, asked.sort);
  if (!lacks.empty()) co_return Error{ErrorCode::unavailable, std::move(lacks)};
  auto source = (*state)->bitmaps(asked.filter.product);
  if (!source) co_return source.error();
  Numbers numbers{numbered ? Numbers::Kind::of_index : Numbers::Kind::none};
  Opened opened{asked.view,         asked.filter,
                asked.sort,         asked.opening,
                std::move(numbers), std::shared_ptr<const FacetView>(std::move(*state)),
                std::move(**source)};
  auto listing = co_await open_listing(std::move(opened), asked.counts);
  if (!listing) co_return listing.error();
  co_return OfIndex{std::move(*listing), std::move(held)};
}

// Rows of lists or of the index. The index counts the facets that it holds; beside lists, it is
// opened when it is asked to.
class IndexedListing : public Listing {
 public:
  IndexedListing(PageIndex& index, Asked asked, std::unique_ptr<Listing> lists,
                 std::optional<OfIndex> opened)
      : index_(index),
        asked_(std::move(asked)),
        lists_(std::move(lists)),
        opened_(std::move(opened)) {}

  std::optional<std::uint64_t> total() const override { return rows().total(); }
  const Numbers& numbers() const override { return none_ ? *none_ : rows().numbers(); }
  // Says why lists are read though the index could answer.
  void set_missing(std::string why) { none_ = Numbers{Numbers::Kind::none, std::move(why)}; }
  Awaitable<Result<Rows>> read(std::optional<Position> from, Direction direction) override {
    return rows().read(from, direction);
  }
  Awaitable<Result<std::optional<Position>>> at(std::uint64_t n) override { return rows().at(n); }
  Awaitable<Result<std::optional<std::uint64_t>>> rank(
      const std::optional<Position>& position) override {
    return rows().rank(position);
  }
  Awaitable<Result<CountedFacets>> counts(std::span<const SchemaFacet> facets,
                                          Under under) override;
  Explanation explanation() const override { return rows().explanation(); }

 private:
  Listing& rows() const { return lists_ ? *lists_ : *opened_->listing; }

  PageIndex& index_;
  Asked asked_;
  std::unique_ptr<Listing> lists_;  // null: the rows are of the index
  std::optional<OfIndex> opened_;
  std::optional<Numbers> none_;  // instead of those of the rows
};

// Where the index cannot be asked, the counts of the lists are all there are.
Awaitable<Result<CountedFacets>> IndexedListing::counts(std::span<const SchemaFacet> facets,
                                                        Under under) {
  if (!opened_) {
    auto opened = co_await open_index(index_, asked_, false);
    if (!opened) co_return co_await rows().counts(facets, under);
    opened_ = std::move(*opened);
  }
  std::vector<SchemaFacet> held;
  std::string missing;
  for (const auto& facet : facets) {
    const auto* there = opened_->held.find(facet.number);
    if (there && there->facet().type == facet.facet().type)
      held.push_back(facet);
    else
      missing = lacking("the facet " + facet.facet().name);
  }
  auto counted = co_await opened_->listing->counts(held, under);
  if (counted && counted->missing.empty()) counted->missing = std::move(missing);
  co_return counted;
}

class IndexedMaker : public ListingMaker {
 public:
  IndexedMaker(std::unique_ptr<ListingMaker> lists, PageIndex& index)
      : lists_(std::move(lists)), index_(index) {}

  Awaitable<Result<std::unique_ptr<Listing>>> open(View& view, const Filter& filter, SortBy sort,
                                                   const Counts& counts, Opening opening) override {
    Asked asked{view, filter, sort, counts, opening};
    bool sorted = !sort.by_value() || sort.by == rating_number;  // by lists
    if (filter.rest.empty() && sorted) co_return co_await open_lists(std::move(asked), {});
    auto numbered = opening.numbered != Opening::Numbered::no;
    auto missing = co_await numbers_missing();
    Result<OfIndex> opened = Error{ErrorCode::unavailable, missing};
    if (missing.empty()) opened = co_await open_index(index_, asked, numbered);
    if (opened)
      co_return std::unique_ptr<Listing>(make(std::move(asked), nullptr, std::move(*opened)));
    if (!sorted) co_return opened.error();
    co_return co_await open_lists(std::move(asked), opened.error().message);
  }

  Awaitable<std::optional<IndexStatus>> index_status() override {
    co_return co_await lists_->index_status();
  }

 private:
  Awaitable<std::string> numbers_missing() {
    auto status = co_await lists_->index_status();
    co_return status ? std::move(status->missing) : std::string();
  }

  // `missing`: why the index gives no numbers; empty: the lists know.
  Awaitable<Result<std::unique_ptr<Listing>>> open_lists(Asked asked, std::string missing) {
    auto rows =
        co_await lists_->open(asked.view, asked.filter, asked.sort, asked.counts, asked.opening);
    if (!rows) co_return rows.error();
    auto listing = make(std::move(asked), std::move(*rows), {});
    if (!missing.empty()) listing->set_missing(std::move(missing));
    co_return std::unique_ptr<Listing>(std::move(listing));
  }

  std::unique_ptr<IndexedListing> make(Asked asked, std::unique_ptr<Listing> lists,
                                       std::optional<OfIndex> opened) {
    return std::make_unique<IndexedListing>(index_, std::move(asked), std::move(lists),
                                            std::move(opened));
  }

  const std::unique_ptr<ListingMaker> lists_;
  PageIndex& index_;
};

}  // namespace

std::string cannot_answer(const Schema& held, const Filter& filter, SortBy sort) {
  for (const auto& clause : filter.rest) {
    const auto* facet = held.find(clause.number);
    if (!facet || facet->facet().type != clause.type) return lacking("the facet " + clause.name);
  }
  bool sorted = !sort.by_value() || held.find(sort.by) != nullptr;
  return sorted ? "" : lacking("the facet that the listing is sorted by");
}

std::unique_ptr<ListingMaker> listings_with(std::unique_ptr<ListingMaker> lists, PageIndex& index) {
  return std::make_unique<IndexedMaker>(std::move(lists), index);
}

}  // namespace quire::bitmap
