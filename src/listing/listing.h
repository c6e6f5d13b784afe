// The port of the listing: the ordered sequence of the comments that match a filter, in a sort. It
// is opened for one request, read from a position in either direction, and asked for its length,
// its n-th position and the rank of a position. Makers of listings implement it, each over another
// way to keep comments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loop/awaitable.h"
#include "model/counts.h"
#include "model/entry.h"
#include "model/filter.h"
#include "model/schema.h"
#include "quire/facet.h"
#include "quire/page.h"
#include "quire/result.h"
#include "store/store.h"

namespace quire {

// How a listing was read, as the HTTP interface and `quire explain` show it: one form for all
// listings. A listing of lists leaves the members of bitmaps at 0. A listing over
// bitmaps has "bitmap" as its index and the terms of the filter as its lists, such as "rating 4 5";
// it has no residual or start. Beside a store of lists, its cost and alternative are those of
// fetching the documents.
struct Explanation {
  // Where the reading of a list begins.
  struct Start {
    std::string list;
    std::string key;  // JSON; empty: from the list's beginning
  };
  // A plan that was not chosen.
  struct Alternative {
    std::string summary;
    double cost;
  };

  std::string index;
  std::vector<std::string> lists;
  std::vector<std::string> skipped;  // lists that were not read, because counts call them empty
  // How old these counts are; absent: no list is skipped, or they are of the lists' state.
  std::optional<std::uint64_t> counts_age_ms = {};
  std::optional<std::string> residual;  // "rating 1 4 5"
  std::string summary;                  // one line
  std::vector<Start> start;
  double estimated_cost = 0;     // in the store's unit
  std::size_t read = 0;          // entries of lists, or ids of bitmaps
  std::size_t discarded = 0;     // of these, those that are not shown
  std::size_t requests = 0;      // reads of lists, or of bitmaps
  double consumed_capacity = 0;  // read units billed; 0 where nothing is billed
  std::vector<Alternative> alternatives;

  std::size_t blocks = 0;          // of bitmaps, that were looked at
  std::size_t blocks_skipped = 0;  // known to have no match, and passed over
  bool totals_kept = false;        // found from totals of the filter that were kept
  // From the opening of the listing to the page's number. The service measures it.
  std::uint64_t microseconds = 0;
};

enum class Direction : bool { forward, backward };

inline Direction opposite(Direction direction) {
  return direction == Direction::forward ? Direction::backward : Direction::forward;
}

// The order of ids in a reading; `forward`: that of the listing.
inline Order order_in(Direction direction, Order forward) {
  return direction == Direction::forward ? forward : opposite(forward);
}

// The closest position after `from` in this direction.
inline Position just_beyond(const Position& from, Direction direction, Order forward) {
  return {just_before(from.id, opposite(order_in(direction, forward))), from.value};
}

// A position whose rank is known, so that no index is asked for it again.
struct Ranked {
  std::optional<Position> position;
  std::uint64_t rank;
};

// How a listing is sorted.
struct SortBy {
  Sort sort = Sort::newest;
  FacetNumber by = rating_number;  // the number facet that highest and lowest sort by

  bool by_value() const { return sorts_by_value(sort); }
  // The order of ids. In a listing by value it is that of the ids with the same value.
  Order order() const { return sort == Sort::oldest ? Order::oldest_first : Order::newest_first; }
};

// Where the numbers of a listing come from.
struct Numbers {
  enum class Kind {
    none,
    of_index,  // an index's own: the index may be a little behind the comments that are read
    exact,     // of the same state as the comments that are read
  };
  Kind kind = Kind::none;
  std::string missing = {};  // why there are none, as a sentence; empty: none are kept
};

// Comments that follow each other in a listing, and what lies around them.
struct Rows {
  std::vector<Entry> entries;  // in the listing's order, each with its document
  // Comments between them that cannot be shown: damaged, or gone while lists or an index still have
  // them.
  std::size_t damaged = 0;
  // The position of the first comment, damaged or not; without comments, where they would be.
  // Absent: at the listing's beginning.
  std::optional<Position> first;
  // Where the neighbouring comments are read from, backward and forward; absent: there are none.
  std::optional<Position> previous;
  std::optional<Position> next;
  std::size_t read = 0;      // entries of lists or ids of an index
  std::size_t requests = 0;  // reads of lists or of an index

  std::size_t comments() const { return entries.size() + damaged; }
  // Behind the first comment read in this direction, and ahead of the last.
  void set_neighbours(Direction direction, std::optional<Position> behind,
                      std::optional<Position> ahead) {
    bool forward = direction == Direction::forward;
    previous = forward ? behind : ahead;
    next = forward ? ahead : behind;
  }
};

struct CountedFacets {
  std::vector<FacetCounts> facets;  // in the order asked for, those that can be counted
  std::string missing = {};  // why the others cannot be counted, as a sentence; empty: all can
};

// For one request; one task at a time. The view and the filter that it was opened on must outlive
// it and its rows. Errors: unavailable, the store fails.
class Listing {
 public:
  virtual ~Listing() = default;

  // The number of comments: exact, or as the index or the store counts them. Absent: comments under
  // this filter are not counted.
  virtual std::optional<std::uint64_t> total() const = 0;
  // If the index fails, the kind is `none` from then on.
  virtual const Numbers& numbers() const = 0;

  // Comments strictly beyond `from` in this direction, at most as many as it was opened for.
  // Absent: from the beginning, or backward from the end. `from.value` is one that the filter
  // selects.
  virtual Awaitable<Result<Rows>> read(std::optional<Position> from, Direction direction) = 0;

  // The position from which reading forward begins with the n-th comment, counted from 0. Absent:
  // there are fewer comments, or no numbers.
  virtual Awaitable<Result<std::optional<Position>>> at(std::uint64_t n) = 0;
  // How many comments come before the position; absent position: 0. Absent: there are no numbers.
  virtual Awaitable<Result<std::optional<std::uint64_t>>> rank(
      const std::optional<Position>& position) = 0;

  // The numbers of comments with each value of these facets, all of them ready.
  virtual Awaitable<Result<CountedFacets>> counts(std::span<const SchemaFacet> facets,
                                                  Under under) = 0;

  // How the last rows were read.
  virtual Explanation explanation() const = 0;
};

// What a request needs of a listing.
struct Opening {
  enum class Numbered {
    no,
    if_soon,  // a slow index is given up
    yes,      // a slow index is waited for
  };
  enum class Neighbours {
    look,
    skip,  // nothing is read to find them: where there are rows, both are taken to be there
  };
  std::size_t limit;  // how many comments a read gives, at most
  Numbered numbered = Numbered::if_soon;
  Neighbours neighbours = Neighbours::look;
};

// How a page index beside the store stands.
struct IndexStatus {
  std::string missing = {};    // why it gives no numbers, as a sentence; empty: it gives numbers
  std::uint64_t as_of_ms = 0;  // what was written before then is in it; 0: it is not known
  std::optional<std::uint64_t> behind_ms = {};  // how long ago that is, if it is known
};

// The door: opens listings. Thread-safe.
class ListingMaker {
 public:
  virtual ~ListingMaker() = default;

  // `counts`: the product's, of the view's state where they are exact. View and filter must outlive
  // the listing. invalid_parameter: listings of this store cannot be sorted so.
  virtual Awaitable<Result<std::unique_ptr<Listing>>> open(View& view, const Filter& filter,
                                                           SortBy sort, const Counts& counts,
                                                           Opening opening) = 0;

  // Why a filter cannot have words in this state of the store: invalid_parameter, there is no index
  // of words; facet_building, unavailable, damaged.
  virtual Status words_ready(View& view) = 0;

  // Absent: there is no page index beside the store.
  virtual Awaitable<std::optional<IndexStatus>> index_status() = 0;
};

}  // namespace quire
