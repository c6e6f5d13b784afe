// The site's map for search engines (sitemaps.org), and where they may read (RFC 9309).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "http/message.h"

namespace quire::http {

// `newest`: the time of each product's newest comment, in ms since 1970, 0 without one; or nothing
// at all. `origin`: scheme and host.
Response sitemap_of(const std::vector<std::string>& products,
                    const std::vector<std::uint64_t>& newest, const std::string& origin);
// `parts`: for each part of the map, the last product before it.
Response sitemap_index_of(const std::vector<std::string>& parts, const std::string& origin);

// Names the sitemap, unless `origin` is empty.
Response robots_of(const std::string& origin);

}  // namespace quire::http
