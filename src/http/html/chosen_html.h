// The chosen values above the list, each with a link that removes it: the values of section CHOSEN
// of web/comments.tpl.
#pragma once

#include <string>
#include <vector>

#include "http/html/shown_page.h"
#include "http/templates/values.h"
#include "quire/facet.h"

namespace quire::http {

// "Size: L", "Size: not L", "Helpful: at least 3", "Verified: No or not stated": what a parameter
// of the filter says.
std::string condition_label(const std::vector<FacetStatus>& facets, const std::string& name,
                            const std::string& value);

// `self`: the page's address without parameters.
void fill_chosen(Values& out, const ShownPage& page, const std::string& self);

// The query without one parameter of its filter.
Query without(const Query& query, const std::string& name, const std::string& value);

}  // namespace quire::http
