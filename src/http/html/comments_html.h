// The page of a product's comments: the values of web/comments.tpl.
#pragma once

#include <vector>

#include "http/html/shown_page.h"
#include "http/templates/values.h"
#include "quire/comment.h"
#include "quire/facet.h"
#include "service/comments.h"

namespace quire::http {

void fill_comments(Values& out, const ShownPage& page);
// The same template for the page of one comment.
void fill_alone(Values& out, const Comment& comment, const std::vector<FacetStatus>& facets);

// Shows the time up to which numbers hold, if they may be behind.
void fill_as_of(Values& out, AsOf as_of_ms);

}  // namespace quire::http
