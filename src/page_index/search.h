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

#include "page_index/ranks.h"

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
  // An id known to be on one side of the answer, and its rank in the union.
  struct Bound {
    Ulid id;
    std::uint64_t rank;
  };
  // How the next pivots are chosen.
  enum class Way { expected, by_time, medians };

  std::uint64_t total() const;
  std::uint64_t missing() const;
  std::size_t widest() const;
  std::vector<Pivot> expected() const;
  std::vector<Pivot> by_time() const;
  std::vector<Pivot> medians() const;
  bool times_apart() const;

  std::vector<Span> spans_;
  std::uint64_t n_;
  std::optional<Ulid> found_;
  std::optional<Bound> below_, above_;  // the closest ones seen
  Way way_ = Way::expected;
};

}  // namespace quire
