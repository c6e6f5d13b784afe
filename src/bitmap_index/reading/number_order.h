// The ids that match a selection, in the order of a number facet.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "bitmap_index/reading/counts.h"
#include "bitmap_index/reading/kept_totals.h"
#include "bitmap_index/reading/timeline.h"
#include "model/entry.h"

namespace quire::bitmap_index {

// The matches fall into branches: first a branch for each code, in the order of the sort, then the
// matches without a number. The branches of a code with several numbers are looked at when they are
// needed: few matches are gathered and sorted, many are divided into branches of smaller ranges.
//
// One task at a time. Long work gives the other coroutines of the loop their turn. Throws as
// Reader. What it is made from must outlive it.
class NumberOrder {
 public:
  // With `greatest_first`, or least first. Newest first within a number.
  NumberOrder(Reader& reader, Selection selection, FacetNumber by, bool greatest_first,
              Keeping keeping, Work& work);
  ~NumberOrder();

  Awaitable<std::uint64_t> total();
  // How many matches come before the position. `with`: a match at the position counts, too.
  Awaitable<std::uint64_t> rank(const Position& position, bool with);
  // `count` matches from the n-th on; fewer where there are fewer.
  Awaitable<std::vector<Position>> read(std::uint64_t n, std::size_t count);

 private:
  struct Branch;
  Awaitable<void> begin();
  Awaitable<std::shared_ptr<const Counted>> histogram();
  std::optional<Histogram> histogram_of_levels();
  Awaitable<void> prepare(Branch& branch);
  Awaitable<void> gather(Branch& branch);
  Awaitable<void> divide(Branch& branch);
  Selection matches_of(const NumberRange& range) const;
  std::unique_ptr<Timeline> timeline_of(const Branch& branch);
  bool precedes(const Position& a, const Position& b) const;
  Awaitable<std::uint64_t> rank_in(Branch& branch, const Position& position, bool with);
  Awaitable<void> read_in(Branch& branch, std::uint64_t n, std::size_t count,
                          std::vector<Position>& out);

  Reader& reader_;
  const Selection selection_;
  const FacetNumber by_;
  const bool greatest_first_;
  const Keeping keeping_;
  Work& work_;
  std::unique_ptr<Branch> all_;
};

}  // namespace quire::bitmap_index
