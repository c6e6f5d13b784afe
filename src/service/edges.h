// What lies around a page: its neighbours, and its number.
#pragma once

#include "service/comments.h"
#include "service/start.h"

namespace quire {

// The comments beside which the neighbouring pages begin; absent where there is no such page.
struct Edge {
  Ulid id;
  FacetValue rating;  // where the sort is by rating
};
struct Edges {
  std::optional<Edge> next;
  std::optional<Edge> previous;
};

// What was found says whether there are more rows in the direction read. In the other direction
// the start's offset tells; where that is not known, it looks. The rows are in the sort's order.
Awaitable<Result<Edges>> edges(View& view, const std::vector<Section>& sections, Sort sort,
                               const Start& start, const Found& found);

// How many comments of the sort come before the first row; nothing if the index beside the store
// fails.
Awaitable<Result<std::optional<std::uint64_t>>> offset_of(Numberer& numberer,
                                                          const std::vector<Section>& sections,
                                                          Sort sort, const Start& start,
                                                          const std::vector<Entry>& rows);

// Whether the index beside the store has all rows of a page that begins at `offset`; no, if it
// fails.
Awaitable<bool> has_all(Numberer& numberer, const std::vector<Section>& sections, Sort sort,
                        std::uint64_t offset, const std::vector<Entry>& rows);

}  // namespace quire
