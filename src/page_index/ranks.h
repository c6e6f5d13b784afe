// The port for questions by rank: each list is an ordered set of ids. Ranks count from 0, oldest
// first, whatever the order of the page.
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

// At most `count` ids of a list, beginning at rank `from`.
struct RankRange {
  Cell list;
  std::uint64_t from;
  std::size_t count;
};

// An id whose ranks are asked for: `id` where it is given, else the n-th id of list number `list`.
struct Pivot {
  std::size_t list = 0;
  std::uint64_t n = 0;
  std::optional<Ulid> id = {};
};

// The ranks of one id.
struct Probe {
  Ulid id;
  std::vector<std::uint64_t> ranks;  // per list: how many of its ids are older than `id`
};

struct FoundNth {
  Ulid id;
  int rounds;  // how many rounds the search took
};

// Each function except nth_of_union() takes one round to the index, however much it asks for.
// Serves one task at a time. Error: unavailable, the index does not answer now.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                                std::span<const Cell> lists) = 0;
  virtual Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view product, std::span<const RankRange> ranges) = 0;
  // Per list, how many ids are older than `id`; no list needs to hold `id`. The default asks for
  // one probe.
  virtual Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view product,
                                                              std::span<const Cell> lists,
                                                              const Ulid& id);
  // The ids of the pivots, and their ranks in all lists. Leaves out a pivot past the end of its
  // list.
  virtual Awaitable<Result<std::vector<Probe>>> probe(std::string_view product,
                                                      std::span<const Cell> lists,
                                                      std::span<const Pivot> pivots) = 0;
  // The n-th id of a union of disjoint lists, oldest first. `lengths`: the lengths that the lists
  // had just now; n is less than their sum. unavailable: the lists change too fast to find the id.
  // The default searches in a few rounds (union.cc); a backend that can answer in one overrides it.
  virtual Awaitable<Result<FoundNth>> nth_of_union(std::string_view product,
                                                   std::span<const Cell> lists,
                                                   std::span<const std::uint64_t> lengths,
                                                   std::uint64_t n);
};

}  // namespace quire
