// Comments as web pages and feeds show them: decoded, and long texts shortened.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/awaitable.h"
#include "quire/comment.h"
#include "service/comments.h"

namespace quire::http {

struct ShownComment {
  Comment comment;
  bool cut = false;  // `text` is the beginning of a longer text
};

// The comments of the page, in its order, with long texts cut. Leaves out a document that cannot be
// decoded. Gives other requests of the loop their turn, because a page can have megabytes of text.
Awaitable<std::vector<ShownComment>> shown_comments(const FoundPage& page);

// The beginning of a long text, up to the end of a word or line. Nothing if the text has at most
// 1,500 bytes and 30 lines, and so is shown whole. `text` is valid UTF-8.
std::optional<std::string_view> beginning_of(std::string_view text);

}  // namespace quire::http
