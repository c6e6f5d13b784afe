// The head of a product's page, for search engines and feed readers: the values of web/head.tpl.
#pragma once

#include <string>

#include "http/html/shown_page.h"
#include "http/templates/values.h"

namespace quire::http {

// The canonical address of each page without filter is its own. Pages under a filter, or in another
// sort, ask not to be indexed, and name the first page without filter. Without an origin a page has
// no canonical address.
void fill_head(Values& head, const ShownPage& shown, const std::string& origin);

}  // namespace quire::http
