// The numbers of comments of a product, per language and rating. They give the length of each list.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/facets.h"
#include "model/filter.h"
#include "quire/statistics.h"

namespace quire {

// Averages of ratings.
std::uint64_t total(const RatingCounts& counts);

// The arithmetic mean; 0 without comments.
double average(const RatingCounts& counts);

// A mean that a few comments move little: the lower end of the 90 % credible interval of the mean,
// with one comment of each rating assumed beforehand. 0 without comments.
//   S = Σ s_k p_k − 1.65 √((Σ s_k² p_k − (Σ s_k p_k)²) / (N + 6)),  p_k = (n_k + 1) / (N + 5)
// Evan Miller, "Ranking Items With Star Ratings" (2014),
// https://www.evanmiller.org/ranking-items-with-star-ratings.html
double adjusted_average(const RatingCounts& counts);

// The number that puts a product in the order `by`: the greatest comes first.
double rank_value(Leaders by, const RatingCounts& counts);

// Under which conditions of a filter the values of a facet are counted.
enum class Under {
  other_facets,  // all but those on the facet itself
  whole_filter,
};

class Counts {
 public:
  // Whether anything counts the comments. Otherwise there are no rows, and zeros tell nothing.
  bool known = true;
  // Whether they are of the same state as the lists that are read. Otherwise they are a guess, good
  // for estimating costs alone: a list may have comments although its count is 0.
  bool exact = true;
  // How long ago counts that are not exact were complete, in ms, if readers may take a list that
  // was empty then for empty now; absent: they may not.
  std::optional<std::uint64_t> trusted_age_ms = {};

  // The parts of the product's lists.
  Parts parts = undivided;

  struct Row {
    Cell cell;
    std::uint64_t comments;
  };

  void reserve(std::size_t cells) { rows_.reserve(cells); }
  void add(const Cell& cell, std::uint64_t comments) {
    if (comments != 0) rows_.push_back({cell, comments});
  }

  // The number of comments in `list`, which may have `any` in it.
  std::uint64_t length(const Cell& list) const {
    return sum_of([&](const Cell& cell) { return covers(list, cell); });
  }
  // Whether readers need not look into `list`.
  bool is_empty(const Cell& list) const { return (exact || trusted_age_ms) && length(list) == 0; }
  // The number of comments a filter selects.
  std::uint64_t total(const Filter& filter) const {
    return sum_of([&](const Cell& cell) { return filter.matches(cell); });
  }
  // The number of all comments.
  std::uint64_t total() const {
    return sum_of([](const Cell&) { return true; });
  }

  const std::vector<Row>& rows() const { return rows_; }

 private:
  template <class Wanted>
  std::uint64_t sum_of(Wanted wanted) const {
    std::uint64_t sum = 0;
    for (const auto& row : rows_) {
      if (wanted(row.cell)) sum += row.comments;
    }
    return sum;
  }

  std::vector<Row> rows_;  // one for each cell that has comments
};

}  // namespace quire
