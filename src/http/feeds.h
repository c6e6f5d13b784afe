// What machines read of the pages: the feed of a product, the map of the site.
#pragma once

#include <string>
#include <vector>

#include "http/message.h"
#include "http/shown_comment.h"
#include "quire/page.h"

namespace quire::http {

// `comments` are a page of the product's, newest first. `origin`: scheme and host. A feed without
// one has relative links, and names that no host is in (RFC 4287 asks for whole names, not for
// whole links).
Response atom_feed(const std::vector<ShownComment>& comments, const Query& query,
                   const std::string& origin);
Response sitemap_of(const std::vector<std::string>& products, const std::string& origin);
// `parts`: for each part, the product before its first.
Response sitemap_index_of(const std::vector<std::string>& parts, const std::string& origin);

}  // namespace quire::http
