// The site's map for search engines (sitemaps.org).
#pragma once

#include <string>
#include <vector>

#include "http/message.h"

namespace quire::http {

// `origin`: scheme and host.
Response sitemap_of(const std::vector<std::string>& products, const std::string& origin);
// `parts`: for each part of the map, the last product before it.
Response sitemap_index_of(const std::vector<std::string>& parts, const std::string& origin);

}  // namespace quire::http
