// The port of the page index: for each list an ordered set of ids, asked by rank. Ranks count from
// 0, oldest first; the page's order is the service's affair.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "loop/awaitable.h"
#include "model/entry.h"
#include "model/facets.h"
#include "quire/result.h"
#include "quire/ulid.h"

namespace quire {

// The ids of a list from the `from`-th on, at most `count`.
struct RankRange {
  Cell list;
  std::uint64_t from;
  std::size_t count;
};

// An id whose ranks are asked for: the n-th of one of several lists, or any id, given as it is.
struct Pivot {
  std::size_t list = 0;
  std::uint64_t n = 0;
  std::optional<Ulid> id = {};
};

struct Probe {
  Ulid id;
  std::vector<std::uint64_t> ranks;  // in each of the lists: how many of its ids are older
};

struct FoundNth {
  Ulid id;
  int rounds;  // in which it was found
};

// Each function is one round, however much it asks for, but for nth_of_union(). One task at a time.
// An error: unavailable, the index cannot be asked now.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                                std::span<const Cell> lists) = 0;
  virtual Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view product, std::span<const RankRange> ranges) = 0;
  // In each list, how many ids are older; `id` need not be in it.
  virtual Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view product,
                                                              std::span<const Cell> lists,
                                                              const Ulid& id) = 0;
  // The pivots' ids, and their ranks in all lists. A pivot past its list's end is left out.
  virtual Awaitable<Result<std::vector<Probe>>> probe(std::string_view product,
                                                      std::span<const Cell> lists,
                                                      std::span<const Pivot> pivots) = 0;
  // The n-th id of a union of disjoint lists, oldest first; `lengths` of the lists as they were
  // just now, n less than their sum. unavailable: the lists change too fast to tell.
  // Here a search in a few rounds (union.cc); a backend that can do it at once does.
  virtual Awaitable<Result<FoundNth>> nth_of_union(std::string_view product,
                                                   std::span<const Cell> lists,
                                                   std::span<const std::uint64_t> lengths,
                                                   std::uint64_t n);
};

}  // namespace quire
