// A listing over the bitmap index of a product.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bitmap_index/reading/asked_words.h"
#include "bitmap_index/reading/counts.h"
#include "bitmap_index/reading/kept_totals.h"
#include "bitmap_index/reading/matches.h"
#include "bitmap_index/reading/reader.h"
#include "bitmap_index/reading/selection.h"
#include "listing/run_listing.h"
#include "model/entry.h"
#include "plan/plan.h"
#include "quire/facet.h"
#include "store/store.h"

namespace quire::bitmap {

// Flags and ratings in their order; a closed choice in the order of its values; languages by text;
// other texts the most frequent first, at most limits::counted_values of them. `reader` may be null
// where nothing is counted. Throws lmdb::Damaged: a text is missing.
FacetCounts shown(bitmap_index::Reader* reader, const SchemaFacet& facet,
                  bitmap_index::ValueCounts counts);

// How many comments the list of the product has from `first` to `last`, both included, in this
// order. The source has a reader. Throws as Reader.
Awaitable<std::uint64_t> spread(bitmap_index::Source& source, std::string product, Cell list,
                                Order order, Ulid first, Ulid last);

// Fetches them in this way; by their ids those that the list lacks. The entries are in this order.
Awaitable<Status> fetch(View& view, std::string_view product, Order order, const Fetch& way,
                        std::span<Entry> entries);

// One state of the bitmap index of a product.
struct IndexState {
  std::shared_ptr<const void> alive;  // what `source` lives on
  bitmap_index::Source source;
};

// What a listing is opened with. View and filter outlive it.
struct ListingOptions {
  View& view;
  const Filter& filter;
  SortBy sort;
  Opening opening;
  // Exact: the index is the view's own. Of an index: it stands beside the store. None: positions
  // are found all the same, and no numbers are given.
  Numbers numbers;
  // Opens a state of an index beside the store. The listing lets go of it before it waits for
  // documents: LMDB cannot reuse old pages meanwhile. Empty: the index is the view's own.
  std::function<Result<IndexState>()> beside = {};
  CostModel costs = {};  // of fetching documents
};

// A listing whose filter selects every comment is read from the view in time order, without the
// index.
class BitmapListing : public RunListing {
 public:
  explicit BitmapListing(ListingOptions options);

  // Finds the total, unless no numbers are wanted. Called first, once.
  Awaitable<Status> measure(const Counts& counts);

  std::optional<std::uint64_t> total() const override { return total_; }
  const Numbers& numbers() const override { return options_.numbers; }
  Awaitable<Result<std::optional<Position>>> at(std::uint64_t n) override;
  Awaitable<Result<std::optional<std::uint64_t>>> rank(
      const std::optional<Position>& position) override;
  Awaitable<Result<CountedFacets>> counts(std::span<const SchemaFacet> facets,
                                          Under under) override;
  Explanation explanation() const override;

  // Whether the last error was the index's, and not the store's.
  bool index_failed() const { return index_failed_; }

 private:
  bool own() const { return !options_.beside; }
  bool numbered() const { return options_.numbers.kind != Numbers::Kind::none; }
  Awaitable<Result<Run>> read_run(std::optional<Position> from, Direction direction) override;
  Awaitable<Result<bool>> any_behind(const Position& from, Direction direction) override;
  Awaitable<Status> complete(Run& run, Direction direction) override;

  // The most that is found, and about how many blocks are looked at for it. Absent: segments that
  // the page did not need are damaged.
  struct Expectation {
    std::uint64_t matches, blocks;
  };
  std::optional<Expectation> expectation() const;
  Status open_state();
  // Lets go of a state of an index beside the store.
  void release();
  bitmap_index::Selection selection_of(const Filter& filter);
  // nullptr: the product has no comments.
  Result<bitmap_index::Matches*> matches();
  // The answer of the index. damaged: its rows are.
  template <class T>
  Awaitable<Result<T>> checked(Awaitable<T> question);
  // Fetches documents for an index beside the store.
  Awaitable<Status> complete_beside(Run& run, Direction direction);
  Awaitable<Status> plan_documents(const Run& run, Direction direction);
  Awaitable<CountedFacets> count(std::span<const SchemaFacet> facets, Under under);
  Awaitable<Result<Run>> walk(std::optional<Position> from, Direction direction);
  Awaitable<Result<Run>> select(std::optional<Position> from, Direction direction);
  Awaitable<Result<std::optional<std::uint64_t>>> rank_of(const Run& run,
                                                          const std::optional<Position>& from,
                                                          Direction direction);
  // How many comments lie beyond a position from which a page was, or can be read.
  std::optional<std::uint64_t> kept_ahead(const Position& from, Direction direction);
  void keep_ranks(const Run& run, const std::optional<Position>& from, Direction direction);
  bitmap_index::KeptRanks* kept_ranks();

  ListingOptions options_;
  std::optional<IndexState> state_;
  bool index_failed_ = false;
  bool walks_ = false;  // the filter selects every comment, and the view gives them in order
  std::optional<std::uint64_t> total_;
  bitmap_index::AskedWords* asked_ = nullptr;  // of the state; null: no words were asked for
  std::optional<bitmap_index::Matches> matches_;
  bitmap_index::Work work_;                    // of matches that were let go
  std::optional<std::size_t> segments_asked_;  // for words that were let go
  bitmap_index::Work counting_;                // of counts()
  std::optional<Ranked> at_;                   // what at() found
  std::optional<Ranked> last_;                 // of the rows read last
  std::vector<Fetch> fetch_;                   // of the last documents, the chosen way first
};

}  // namespace quire::bitmap
