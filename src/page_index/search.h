// Finds the n-th id of a union of lists when each list can only be asked by rank. For each list the
// search keeps the range of ranks that may still hold the answer; the ranks of a few pivots, in all
// lists, narrow every range at once. (Frederickson and Johnson, "The complexity of selection and
// ranking in X+Y and matrices with sorted columns", 1982, narrow sorted lists in the same way.)
// The search asks no list itself: the caller asks for pivots() and passes the answers to feed().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "page_index/ranks.h"

namespace quire {

class UnionSearch {
 public:
  // Searches the n-th id, oldest first, of disjoint lists. n is less than the sum of `lengths`.
  UnionSearch(std::vector<std::uint64_t> lengths, std::uint64_t n);

  // Whether the ranges are so narrow that the caller should read them: see rest(). If not, the
  // caller asks for the next pivots().
  bool narrow() const;
  std::vector<Pivot> pivots() const;
  void feed(std::span<const Pivot> asked, std::span<const Probe> probes);
  // The answer, if it happened to be a pivot.
  const std::optional<Ulid>& found() const { return found_; }
  // Whether answers contradicted each other. That happens when lists change between rounds.
  bool lost() const;

  struct Rest {
    std::size_t list;
    std::uint64_t from;
    std::size_t count;
  };
  // The ranges that are left, and the answer among the ids in them.
  std::vector<Rest> rest() const;
  std::optional<Ulid> finish(const std::vector<std::vector<Ulid>>& ids) const;

 private:
  struct Span {
    std::uint64_t from, to;
    std::uint64_t width() const { return to - from; }
  };
  // An id on a known side of the answer, and its rank in the union.
  struct Bound {
    Ulid id;
    std::uint64_t rank;
  };
  // How the next pivots are chosen.
  enum class Method { expected, by_time, medians };

  std::uint64_t total() const;
  std::uint64_t remaining() const;
  std::size_t widest() const;
  std::vector<Pivot> expected() const;
  std::vector<Pivot> by_time() const;
  std::vector<Pivot> medians() const;
  bool times_apart() const;

  std::vector<Span> spans_;
  std::uint64_t n_;
  std::optional<Ulid> found_;
  std::optional<Bound> below_, above_;  // the closest so far
  Method method_ = Method::expected;
};

}  // namespace quire
