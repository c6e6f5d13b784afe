// Makes comments: from a draft, or from a comment and a patch.
#pragma once

#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

Comment comment_of(const Ulid& id, Draft draft);
// The comment with the fields of the patch. invalid_comment: it would have too many attributes.
Result<Comment> patched(Comment comment, const Patch& patch);

}  // namespace quire
