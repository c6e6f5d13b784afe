// A page of comments as JSON. It contains the stored JSON of each comment as it is, so nothing is
// encoded again.
#pragma once

#include <string>

#include "loop/awaitable.h"
#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

// Writes to `out`, an empty string whose capacity is reused, and returns it. Gives other requests
// of the loop their turn, because a page of long comments has megabytes.
Awaitable<std::string> page_json(const FoundPage& page, const Query& query, std::string out = {});

// Appends the members "page", "total" and "facets".
void append_numbers(std::string& out, const FoundPage& page, const Query& query);

}  // namespace quire::http
