// Comments as web pages and feeds show them: decoded, and long texts shortened.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/awaitable.h"
#include "quire/comment.h"
#include "service/comments.h"
#include "shop/shop.h"

namespace quire::http {

struct ShownComment {
  Comment comment;
  bool cut = false;  // `text` is the beginning of a longer text
};

// A positive and a critical comment of a product, which its first page shows before the others; or
// none. Each is the one that helped most, or else the newest. Their texts are short.
struct Picks {
  std::vector<ShownComment> comments = {};
  std::vector<bool> most_helpful = {};     // of each; otherwise it is the newest
  std::vector<std::uint64_t> hashes = {};  // of their documents
};

// The comments of the page, in its order, with long texts cut, and one blank line where a text has
// several, and the pictures that the shop shows. Leaves out a document that cannot be
// decoded. Gives other requests of the loop their turn, because a page can have megabytes of text.
// `shop`: null: there is none. Must outlive the work.
Awaitable<std::vector<ShownComment>> shown_comments(const FoundPage& page, const shop::Shop* shop);

// The same of one comment.
ShownComment shown_comment(Comment comment, const shop::Shop* shop);

// Leaves the pictures at the shop's hosts: an import brings others, and a host may be named no
// more.
void leave_pictures_of(const shop::Shop* shop, Media& media);

// The beginning of a long text, up to the end of a word or line. Nothing if the text has at most
// 1,000 bytes and 16 lines, and so is shown whole. `text` is valid UTF-8.
std::optional<std::string_view> beginning_of(std::string_view text);

// The comment with the beginning of its text, of at most 180 bytes.
ShownComment excerpt_of(Comment comment);

// The text with one blank line in place of several.
std::string without_blank_runs(std::string text);

}  // namespace quire::http
