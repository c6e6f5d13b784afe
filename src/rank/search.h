// The n-th of a union of lists, from what each list knows of itself. For each list the search keeps
// the range of ranks that may still hold the answer; the ranks of a few pivots, in all lists,
// narrow every range at once. (Frederickson and Johnson, "The complexity of selection and ranking
// in X+Y and matrices with sorted columns", 1982, narrow sorted lists in the same way.) It asks
// nothing itself: it says which pivots it wants, and is fed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rank/rank.h"

namespace quire {

class UnionSearch {
 public:
  // For the n-th, oldest first, of disjoint lists that are so long; n is less than their sum.
  UnionSearch(std::vector<std::uint64_t> lengths, std::uint64_t n);

  // Whether so little is left that it is best read: see rest(). Otherwise pivots() must be fed.
  bool narrow() const;
  std::vector<Pivot> pivots() const;
  void feed(std::span<const Pivot> asked, std::span<const Probe> probes);
  // A pivot that happened to be the answer.
  const std::optional<Ulid>& found() const { return found_; }
  // Whether the answers contradicted each other, as they may when lists change between rounds.
  bool lost() const;

  struct Rest {
    std::size_t list;
    std::uint64_t from;
    std::size_t count;
  };
  // The ranges that are left; and the answer among their ids.
  std::vector<Rest> rest() const;
  std::optional<Ulid> finish(const std::vector<std::vector<Ulid>>& ids) const;

 private:
  struct Span {
    std::uint64_t from, to;
    std::uint64_t width() const { return to - from; }
  };

  std::uint64_t total() const;
  std::uint64_t missing() const;

  std::vector<Span> spans_;
  std::uint64_t n_;
  std::optional<Ulid> found_;
  bool slow_ = false;  // the last round narrowed little: the lists are not evenly mixed
};

}  // namespace quire
