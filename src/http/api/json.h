// Answers as JSON: pages, statistics, facets and their counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "loop/awaitable.h"
#include "quire/facet.h"
#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

// Statistics and leaderboard as JSON.
std::string statistics_json(std::string_view product, const Statistics& statistics);
std::string totals_json(const ProductTotals& totals);
std::string leaderboard_json(Leaders by, const Leaderboard& board);

// Writes to `out`, an empty string whose capacity is reused, and returns it. Gives other requests
// of the loop their turn, because a page of long comments has megabytes.
Awaitable<std::string> page_json(const FoundPage& page, const Query& query, std::string out = {});

// Appends the members "page", "total" and "facets".
void append_numbers(std::string& out, const FoundPage& page, const Query& query);

// What /v1/facets answers.
std::string facets_json(const std::vector<FacetStatus>& facets);
// Appends an object: by facet, the number of comments by value, or the range of a number facet.
void append_counts(std::string& out, const std::vector<FacetCounts>& counts);

// Appends an array.
void append_texts(std::string& out, const std::vector<std::string>& texts);

// "ready", "building", "dropping".
std::string_view state_text(FacetStatus::State state);

}  // namespace quire::http
