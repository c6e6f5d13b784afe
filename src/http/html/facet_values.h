// The values of a facet that a page offers, with the number of comments of each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/html/parts.h"
#include "http/templates/values.h"

namespace quire::http {

struct ValueCount {
  std::string value;
  std::optional<std::uint64_t> comments;  // under all other facets; absent: not known
  bool chosen = false;
};

// In the order to be shown: ratings from 5 to 1; flags with both values; the values of a short
// closed choice as they were declared; others by number of comments. Values that the query wants
// are always among them. Empty for numbers but ratings, and where no value is known.
std::vector<ValueCount> values_of(const ShownPage& page, const Facet& facet);

// The number of values and bounds of this facet that the query asks for, wanted or excluded.
std::size_t chosen_values(const Query& query, std::string_view facet);
// The same of all facets.
std::size_t chosen_values(const Query& query);

// The query's conditions on a facet; nullptr: there are none but languages and ratings.
const FacetFilter* conditions_on(const Query& query, std::string_view facet);
// The counts of a facet; nullptr: they are not known.
const FacetCounts* counts_of(const FoundPage& page, std::string_view facet);
// The languages that the product's comments have, each once.
std::vector<std::string> languages_of(const FoundPage& page);

}  // namespace quire::http
