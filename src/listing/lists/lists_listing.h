// A listing made of lists: its segments are read by plans, and numbered by ranks. What no list
// selects by, the filter's clauses, is dropped entry by entry; comments under such a filter have no
// numbers, a page may have fewer of them than its limit although more follow, and a page that was
// reached by a cursor always has neighbours behind.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "listing/lists/numbers.h"
#include "listing/lists/segments.h"
#include "listing/run_listing.h"
#include "store/views.h"

namespace quire::lists {

// Tells how segments of a listing were read.
Explanation explain(ListView& view, const std::vector<Segment>& segments,
                    const SegmentsRead& found);
// Adds that the n-th comment, counted from 0, was found by the page index.
void add_search(Explanation& out, std::uint64_t n);

class ListsListing : public RunListing {
 public:
  // At least one segment. `counts`: the product's.
  ListsListing(ListView& view, const Filter& filter, SortBy sort, std::vector<Segment> segments,
               ListNumbers numbers, const Counts& counts, Opening opening);

  std::optional<std::uint64_t> total() const override;
  const Numbers& numbers() const override { return numbers_.numbers(); }
  Awaitable<Result<std::optional<Position>>> at(std::uint64_t n) override;
  Awaitable<Result<std::optional<std::uint64_t>>> rank(
      const std::optional<Position>& position) override;
  Awaitable<Result<CountedFacets>> counts(std::span<const SchemaFacet> facets,
                                          Under under) override;
  Explanation explanation() const override;

 private:
  Awaitable<Result<Run>> read_run(std::optional<Position> from, Direction direction) override;
  Awaitable<Result<bool>> any_behind(const Position& from, Direction direction) override;
  Awaitable<Status> complete(Run& run, Direction direction) override;

  std::optional<std::uint64_t> known_rank(const std::optional<Position>& from,
                                          Direction direction) const;

  ListView& view_;
  const Filter& filter_;
  std::vector<Segment> segments_;
  ListNumbers numbers_;
  const Counts counts_;       // of the product
  std::optional<Ranked> at_;  // what at() found
  SegmentsRead found_;        // by the last reading, without its rows
};

// Other facets are missing, and so are all where the filter has clauses: nothing counts them.
CountedFacets count_cells(const Counts& counts, const Filter& filter,
                          std::span<const SchemaFacet> facets, Under under);

// Says that nothing numbers or counts comments under this filter's clauses, of which there are
// some.
std::string uncounted(const Filter& filter);

}  // namespace quire::lists
