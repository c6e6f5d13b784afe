// A listing over the bitmap index of a product.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bitmap_index/reading/counts.h"
#include "bitmap_index/reading/matches.h"
#include "bitmap_index/reading/source.h"
#include "listing/listing.h"

namespace quire::bitmap {

// What a listing is opened with. View and filter outlive it.
struct Opened {
  View& view;
  const Filter& filter;
  SortBy sort;
  Opening opening;
  // Exact: the index is the view's own. Of an index: it stands beside the store. None: positions
  // are found all the same, and no numbers are given.
  Numbers numbers;
  // What `source` lives on.
  std::shared_ptr<const void> alive = {};
  // The index of an index beside the store. Absent: the view's own, opened when it is needed.
  std::optional<bitmap_index::Source> source = {};
};

// A listing whose filter selects every comment is read from the view in time order, without the
// index.
class BitmapListing : public Listing {
 public:
  explicit BitmapListing(Opened opened);

  // Finds the total, unless no numbers are wanted. Called first, once.
  Awaitable<Status> measure(const Counts& counts);

  std::optional<std::uint64_t> total() const override { return total_; }
  const Numbers& numbers() const override { return of_.numbers; }
  Awaitable<Result<Rows>> read(std::optional<Position> from, Direction direction) override;
  Awaitable<Result<std::optional<Position>>> at(std::uint64_t n) override;
  Awaitable<Result<std::optional<std::uint64_t>>> rank(
      const std::optional<Position>& position) override;
  Awaitable<Result<CountedFacets>> counts(std::span<const SchemaFacet> facets,
                                          Under under) override;
  Explanation explanation() const override;

 private:
  // A position whose rank is known.
  struct Ranked {
    std::optional<Position> position;
    std::uint64_t rank;
  };
  // Comments in the order read.
  struct Run {
    std::vector<Entry> entries;
    std::optional<Position> near, far;  // of the first and of the last; absent: there are none
    bool more = false;                  // more follow in that direction
    std::size_t read = 0;
  };

  bool numbered() const { return of_.numbers.kind != Numbers::Kind::none; }
  Order order_in(Direction direction) const {
    return direction == Direction::forward ? order_ : quire::opposite(order_);
  }
  // The closest position after `from` in this direction.
  Position just_beyond(const Position& from, Direction direction) const {
    return {just_before(from.id, quire::opposite(order_in(direction))), from.value};
  }
  // nullptr: the product has no comments.
  Result<bitmap_index::Matches*> matches();
  Awaitable<CountedFacets> count(std::span<const SchemaFacet> facets, Under under);
  Awaitable<Result<Run>> walk(std::optional<Position> from, Direction direction);
  Awaitable<Result<Run>> select(std::optional<Position> from, Direction direction);
  Awaitable<Result<std::optional<std::uint64_t>>> rank_of(const Run& run,
                                                          const std::optional<Position>& from,
                                                          Direction direction);
  void remember(const Run& run, std::optional<std::uint64_t> rank, Direction direction);
  Awaitable<Result<bool>> any_behind(const Run& run, const Position& from, Direction direction);

  Opened of_;
  const bool own_;  // the index is the view's
  const Order order_;
  bool walks_ = false;  // the filter selects every comment, and the view gives them in order
  std::optional<std::uint64_t> total_;
  std::optional<bitmap_index::Matches> matches_;
  bitmap_index::Work counting_;         // of counts()
  std::optional<Ranked> at_;            // what at() found
  std::optional<Ranked> first_, last_;  // of the rows read last
  std::size_t read_ = 0, shown_ = 0;    // of the last reading
};

}  // namespace quire::bitmap
