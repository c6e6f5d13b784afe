// Questions to the union of several lists. The lists must be disjoint, as the lists of a plan are.
#pragma once

#include <span>

#include "page_index/ranks.h"

namespace quire {

// How many ids of the union are older than `id`.
Awaitable<Result<std::uint64_t>> rank_in_union(Ranks& ranks, std::string_view product,
                                               std::span<const Cell> lists, const Ulid& id);

// The error when the lists changed between two questions, so that the answers do not fit together.
Error changes_too_fast();

}  // namespace quire
