// Comments as the pages show them: decoded, a long text cut to its beginning.
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

// The comments of the page, in its order, with long texts cut. A document that cannot be decoded is
// left out. Lets others on the loop have their turn: a page can hold megabytes of text.
Awaitable<std::vector<ShownComment>> shown_comments(const FoundPage& page);

// The beginning of a long text, up to the end of a word or line; nothing when the text is short
// enough to be shown whole. Long is over 1,500 bytes or 30 lines. `text` is valid UTF-8.
std::optional<std::string_view> beginning_of(std::string_view text);

// Where one comment is shown whole.
std::string comment_address(const Ulid& id);

}  // namespace quire::http
