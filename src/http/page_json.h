// A page of comments as JSON: the comments' own text is spliced, never encoded again.
#pragma once

#include <string>

#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

// Into `out`, an empty string whose room may be used.
std::string page_json(const FoundPage& page, const Query& query, std::string out = {});

}  // namespace quire::http
