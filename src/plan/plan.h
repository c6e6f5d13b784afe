// Filter and counts in, the cheapest way to read a page out.
#pragma once

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "model/counts.h"
#include "model/filter.h"
#include "model/index.h"

namespace quire {

// What reading costs where the comments are kept, in the store's own unit.
struct CostModel {
  double per_list;  // asking one list once
  std::array<double, indexes.size()>
      per_entry;  // one entry of a list of that index, document included
  double step;    // a list's entries are billed in whole steps; 0: exactly
};

// One way to answer: read these lists together, and drop what the residual facets exclude.
struct Choice {
  const Index* index;
  std::vector<Cell> lists;             // in the union, none empty
  std::vector<std::uint64_t> lengths;  // of these lists
  std::vector<Cell> skipped;           // would be, but are empty
  FacetSet residual{};                 // facets of the filter that the lists do not select
  double entries = 0;                  // expected to be read
  double cost = 0;

  // Comments in its lists together.
  std::uint64_t held() const {
    return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  }
  bool drops() const { return residual != FacetSet{}; }
};

// The filter, less what selects everything anyway, and the ways to answer it, cheapest first (at
// least one).
struct Plan {
  Filter filter;
  std::vector<Choice> choices;
  std::uint64_t matches;  // comments the filter selects

  const Choice& chosen() const { return choices.front(); }
  // The cheapest choice whose cost does not hang on how facets are spread in time: it drops
  // nothing.
  const Choice& lossless() const;
  Choice& lossless() { return const_cast<Choice&>(std::as_const(*this).lossless()); }
  // The filter a reader of `choice` has still to apply.
  Filter residual(const Choice& choice) const;
};

// `wanted`: how many rows are to be found.
Plan make_plan(const Filter& filter, const Counts& counts, std::size_t wanted,
               const CostModel& costs);

// "byRating: 2 lists 4 5, 22 entries, cost 8.1"
std::string summary(const Plan& plan, const Choice& choice);
// The plan as one line: what is done, and what it beat.
std::string summary(const Plan& plan);

}  // namespace quire
