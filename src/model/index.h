// Indexes as data: an index is the family of lists with the same facets in their keys. A new facet
// adds rows, not branches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/facets.h"

namespace quire {

using FacetSet = std::array<bool, facet_count>;

struct Index {
  std::string_view name;
  FacetSet keyed;
};

inline constexpr std::array<Index, 4> indexes = {{
    {"all", {false, false}},
    {"byLang", {true, false}},
    {"byRating", {false, true}},
    {"byLangAndRating", {true, true}},
}};

// In how many parts the lists of each index lie. A comment lies in one part of
// each of its lists, so a list that is written to often has several partitions
// of a table.
using Parts = std::array<std::uint8_t, indexes.size()>;
inline constexpr Parts undivided = {1, 1, 1, 1};
inline constexpr std::uint8_t max_parts = 16;

// The list of `index` that has the comments of `cell`.
Cell list_of(const Index& index, const Cell& cell);

// The list's name: "PRODUCT#42", "PRODUCT#42/en", "PRODUCT#42/5",
// "PRODUCT#42/en/5". The product is percent-encoded, so that no product can
// imitate the list of another. The name of a part, but of the first, ends with
// its number: "PRODUCT#42/5#part2".
std::string list_key(std::string_view product, const Cell& list, std::size_t part = 0);

}  // namespace quire
