// The ratings of a product: the values of section SUMMARY of web/comments.tpl.
#pragma once

#include <string>

#include "http/templates/values.h"
#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

void fill_summary(Values& out, const FoundPage& page, const Query& query, const std::string& self);

// The numbers of comments by rating, over all comments of the page's product.
RatingCounts ratings_of(const FoundPage& page);

}  // namespace quire::http
