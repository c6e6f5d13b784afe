// Where a page begins.
#pragma once

#include "cursor/cursor.h"
#include "service/comments.h"
#include "service/sections.h"

namespace quire {

// At the first section's edge, beside a cursor's position, or at a number.
struct Start {
  bool backward = false;
  Place place{0, {}};
  std::optional<std::uint64_t> offset;  // of the page's first comment, where it is known beforehand
  int rounds = 0;                       // of the page index, in which the place was found
};

// The position a cursor of the query holds, if it has one.
Result<std::optional<Position>> position_of(const Query& query, std::uint32_t fingerprint,
                                            const Seal& seal);

// unavailable, if the page has a number and nobody can tell where it begins.
Awaitable<Result<Start>> find_start(Numberer& numberer, const std::vector<Section>& sections,
                                    const Query& query, const std::optional<Position>& position);

// Why there are no numbers where one was asked for.
Error unnumbered(const Numberer& numberer);

// The page on which the comment behind so many others stands.
PageNumber number_at(std::uint64_t offset, std::uint64_t total, std::size_t limit);

}  // namespace quire
