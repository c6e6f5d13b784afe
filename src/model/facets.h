// Facets as data: a facet is a row of a table, and a value of a facet is a small number.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quire {

using FacetValue = std::uint32_t;     // sorts as its text does; 0 is no value
inline constexpr FacetValue any = 0;  // in a list or filter: every value

enum Facet : std::size_t { language_facet, rating_facet, facet_count };

// One value for each facet. With `any` for some facets it names a list.
using Cell = std::array<FacetValue, facet_count>;

struct FacetRow {
  std::string_view name;
  std::size_t domain;  // the number of values; 0: an open set
  std::optional<FacetValue> (*parse)(std::string_view);
  std::string (*text)(FacetValue);
  std::string_view wanted;  // the form of a value, for messages
};

extern const std::array<FacetRow, facet_count> facets;

// The values must be valid.
Cell cell(std::string_view language, int rating);

// Whether the list `list` holds the comments of `cell`.
bool covers(const Cell& list, const Cell& cell);

}  // namespace quire
