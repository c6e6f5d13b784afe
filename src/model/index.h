// Indexes as data: an index is the family of lists with the same facets in their keys. A new facet
// adds rows, not branches.
#pragma once

#include <array>
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

// The list of `index` that has the comments of `cell`.
Cell list_of(const Index& index, const Cell& cell);

// The list's name: "PRODUCT#42", "PRODUCT#42/en", "PRODUCT#42/5", "PRODUCT#42/en/5".
// The product is percent-encoded, so that no product can imitate the list of another.
std::string list_key(std::string_view product, const Cell& list);

}  // namespace quire
