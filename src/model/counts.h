// How many comments a product has, per language and rating. The length of every list follows.
#pragma once

#include <cstdint>
#include <vector>

#include "model/facets.h"
#include "model/filter.h"

namespace quire {

class Counts {
 public:
  // Whether they are of the very state that lists are read from. Otherwise they are a guess that
  // serves for prices alone: a list may have comments though they say it has none.
  bool exact = true;

  struct Row {
    Cell cell;
    std::uint64_t comments;
  };

  void add(const Cell& cell, std::uint64_t comments) {
    if (comments != 0) rows_.push_back({cell, comments});
  }

  // The number of comments in `list` (a cell with `any` in it, or not).
  std::uint64_t length(const Cell& list) const;
  // The number of comments a filter selects.
  std::uint64_t total(const Filter& filter) const;
  // All of them.
  std::uint64_t total() const { return length(Cell{}); }

  const std::vector<Row>& rows() const { return rows_; }

 private:
  std::vector<Row> rows_;  // one a cell, none empty
};

}  // namespace quire
