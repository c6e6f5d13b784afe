// A page of comments as it was found, with all that the web page shows beside it.
#pragma once

#include <vector>

#include "http/html/shown_comment.h"
#include "quire/facet.h"
#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

// Refers to values that must outlive it.
struct ShownPage {
  const Query& query;
  const FoundPage& found;
  const std::vector<ShownComment>& comments;
  const std::vector<FacetStatus>& facets;  // those that can be asked for: language and rating first
  AsOf as_of_ms;                           // of the numbers
};

}  // namespace quire::http
