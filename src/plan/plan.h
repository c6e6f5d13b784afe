// Plans how a page is read: from a filter and counts to the cheapest choice of lists.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/counts.h"
#include "model/entry.h"
#include "model/facets.h"
#include "model/filter.h"

namespace quire {

// "size L XL, not S", "tags all of gift red", "helpful from 3 to 10".
std::string term(const Clause& clause);
// "rating 4 5"
std::string term(ListFacet facet, const std::vector<FacetValue>& values);
// One for each facet of the filter, and one for its words.
std::vector<std::string> terms(const Filter& filter);

// The cost of reading so many entries of one list of this index.
double cost_of_list(const CostModel& costs, const Index& index, double entries);

// One way to answer a filter: read these lists together, and drop the entries that the residual
// facets exclude.
struct Choice {
  const Index* index;
  std::vector<Cell> lists;             // to read; none that the counts call empty
  std::vector<std::uint64_t> lengths;  // of these lists
  std::vector<Cell> skipped;           // empty, as the counts say; numbers take them in
  FacetSet residual{};                 // facets of the filter that the lists do not select
  double entries = 0;                  // expected to be read
  double cost = 0;
  std::size_t parts = 1;  // of each list; each part is read like a list
  bool absent = false;    // the store has no such lists: it reads larger ones, and drops the rest

  std::size_t reads() const { return lists.size() * parts; }
  // Comments in all its lists together.
  std::uint64_t held() const {
    return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  }
  bool drops() const { return residual != FacetSet{}; }
};

// A filter and the choices that answer it, cheapest first and absent ones last, at least one.
// Facets that select everything anyway are gone from the filter. What no list selects by, the
// filter's clauses, is a residual of every choice: a reader of any choice drops entries.
struct Plan {
  Filter filter;
  std::vector<Choice> choices;
  std::uint64_t matches;  // comments that the filter selects without its clauses
  // The age of the counts by which lists are skipped, in ms; absent: they are of the lists' state.
  std::optional<std::uint64_t> counts_age_ms = {};

  const Choice& chosen() const { return choices.front(); }
  // The cheapest choice that drops nothing but what the clauses exclude. Its cost does not depend
  // on how the other facets are spread in time.
  const Choice& lossless() const;
  Choice& lossless() { return const_cast<Choice&>(std::as_const(*this).lossless()); }
  bool has_clauses() const { return !filter.clauses.empty(); }
  // The filter that a reader of `choice` still has to apply.
  Filter residual(const Choice& choice) const;
};

// `wanted`: how many rows are to be found.
Plan make_plan(const Filter& filter, const Counts& counts, std::size_t wanted,
               const CostModel& costs);

// "byRating: 2 lists 4 5, 22 entries, cost 8.1"
std::string summary(const Plan& plan, const Choice& choice);
// The plan as one line: the chosen way, and the ways it beat.
std::string summary(const Plan& plan);

// One way to fetch the documents of a page.
struct Fetch {
  std::optional<Cell> list;  // absent: by their ids
  std::uint64_t entries;     // to read
  double cost;
};

// What a store says an entry costs of an index that it does not have.
inline constexpr double no_such_list = 1e6;

// The smallest list that has every comment which the filter selects.
Cell covering_list(const Filter& filter);

// Returns both ways to fetch, the cheaper first; one way where the store has no such list.
// `spread`: how many entries `list` has from the first of the comments to the last, both included.
std::vector<Fetch> plan_fetch(std::uint64_t comments, const Cell& list, std::uint64_t spread,
                              const CostModel& costs);

// "from PRODUCT#42/en, 24 entries, cost 1.5"; "20 by id, cost 10.0"
std::string summary(std::string_view product, const Fetch& fetch);

}  // namespace quire
