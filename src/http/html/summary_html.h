// How a product is rated: what goes into section SUMMARY of web/comments.tpl.
#pragma once

#include <ctemplate/template.h>

#include <string>

#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

void fill_summary(ctemplate::TemplateDictionary& out, const FoundPage& page, const Query& query,
                  const std::string& self);

// All comments of the page's product, by rating.
RatingCounts ratings_of(const FoundPage& page);

}  // namespace quire::http
