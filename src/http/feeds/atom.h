// The Atom feed of a product's comments (RFC 4287).
#pragma once

#include <string>
#include <vector>

#include "http/html/shown_comment.h"
#include "http/message.h"
#include "quire/page.h"

namespace quire::http {

// `comments` are a page of the product's comments, newest first. `origin` is scheme and host. A
// feed without an origin has relative links, and ids that contain no host: RFC 4287 asks for
// absolute ids, not for absolute links.
Response atom_feed(const std::vector<ShownComment>& comments, const Query& query,
                   const std::string& origin);

}  // namespace quire::http
