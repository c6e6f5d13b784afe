// Places by number and numbers of places, from the page index.
#pragma once

#include "page_index/ranks.h"
#include "service/sections.h"

namespace quire {

// Puts the lengths that the index has into the steady ways of the plans: from then on totals and
// places are the index's. One round.
Awaitable<Status> measure(Ranks& ranks, std::vector<Section>& sections);

struct Located {
  Place place;
  int rounds;  // of the page index, in which it was found
};

// The place before the `offset`-th comment of the sort, counted from 0; `offset` is less than their
// total.
Awaitable<Result<Located>> place_at(Ranks& ranks, const std::vector<Section>& sections, Order order,
                                    std::uint64_t offset);

// How many comments of the sort come before `id`, which need not be there, in its section.
Awaitable<Result<std::uint64_t>> offset_of(Ranks& ranks, const std::vector<Section>& sections,
                                           Order order, std::size_t section, const Ulid& id);

}  // namespace quire
