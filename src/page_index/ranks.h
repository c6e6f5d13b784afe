// The port for questions by rank: each list is an ordered set of ids. Ranks count from 0, oldest
// first, whatever the order of the page.
#pragma once

#include <cstdint>
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

// Each function takes one round to the index, however much it asks for. Serves one task at a time.
// Error: unavailable, the index does not answer now.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                                std::span<const Cell> lists) = 0;
  virtual Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view product, std::span<const RankRange> ranges) = 0;
  // Per list, how many ids are older than `id`; no list needs to hold `id`.
  virtual Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view product,
                                                              std::span<const Cell> lists,
                                                              const Ulid& id) = 0;
  // The n-th id, oldest first, of the union of disjoint lists: all pairs of some languages and some
  // ratings, each of which may be `any`. `length`: of the union, as the index told just now; n is
  // less. unavailable: the lists change too fast to find the id.
  virtual Awaitable<Result<Ulid>> nth_of_union(std::string_view product,
                                               std::span<const Cell> lists, std::uint64_t length,
                                               std::uint64_t n) = 0;
};

// The error when the lists changed between two questions, so that the answers do not fit together.
Error changes_too_fast();

}  // namespace quire
