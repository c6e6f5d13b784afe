// A page of comments as JSON: the comments' own text is spliced, never encoded again.
#pragma once

#include <string>

#include "loop/awaitable.h"
#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

// Into `out`, an empty string whose room may be used. Lets others on the loop have their turn: a
// page of long comments has megabytes.
Awaitable<std::string> page_json(const FoundPage& page, const Query& query, std::string out = {});

// The rest of it, without the comments: the members "page", "total" and "plan".
void append_numbers(std::string& out, const FoundPage& page, const Query& query);

}  // namespace quire::http
