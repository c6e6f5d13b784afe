// What machines read of the pages: the feed of a product, the map of the site.
#pragma once

#include <string>
#include <vector>

#include "http/message.h"
#include "quire/page.h"
#include "service/comments.h"

namespace quire::http {

// `origin`: scheme and host. A feed without one has relative links, and names that no host is in
// (RFC 4287 asks for whole names, not for whole links).
Response atom_feed(const FoundPage& page, const Query& query, const std::string& origin);
Response sitemap_of_pages(const std::vector<std::string>& products, const std::string& origin);
// `after`: of each part, the product before its first.
Response sitemap_of_parts(const std::vector<std::string>& after, const std::string& origin);

}  // namespace quire::http
