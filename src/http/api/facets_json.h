// Facets and their counts as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quire/facet.h"

namespace quire::http {

// What /v1/facets answers.
std::string facets_json(const std::vector<FacetStatus>& facets);
// Appends an object: by facet, the number of comments by value, or the range of a number facet.
void append_counts(std::string& out, const std::vector<FacetCounts>& counts);

// Appends an array.
void append_texts(std::string& out, const std::vector<std::string>& texts);

// "ready", "building", "dropping".
std::string_view state_text(FacetStatus::State state);

}  // namespace quire::http
