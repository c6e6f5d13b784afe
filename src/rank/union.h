// Asking several lists as if they were one: disjoint lists, as those of a plan are.
#pragma once

#include <optional>
#include <span>

#include "rank/rank.h"

namespace quire {

struct FoundNth {
  Ulid id;
  int rounds;  // in which it was found
};

// The n-th id of the union, oldest first; `lengths` of the lists, n less than their sum.
// unavailable: the lists change too fast to tell.
Awaitable<Result<FoundNth>> nth_of_union(Ranks& ranks, std::string_view product,
                                         std::span<const Cell> lists,
                                         std::span<const std::uint64_t> lengths, std::uint64_t n);

// How many ids of the union are older than `id`.
Awaitable<Result<std::uint64_t>> rank_in_union(Ranks& ranks, std::string_view product,
                                               std::span<const Cell> lists, const Ulid& id);

}  // namespace quire
