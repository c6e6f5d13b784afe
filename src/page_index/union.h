// Asking several lists as if they were one: disjoint lists, as those of a plan are.
#pragma once

#include <span>

#include "page_index/ranks.h"

namespace quire {

// How many ids of the union are older than `id`.
Awaitable<Result<std::uint64_t>> rank_in_union(Ranks& ranks, std::string_view product,
                                               std::span<const Cell> lists, const Ulid& id);

}  // namespace quire
