// Makes comments: from a draft, or from a comment and a patch.
#pragma once

#include "quire/comment.h"

namespace quire {

Comment comment_of(const Ulid& id, Draft draft);
// The comment with the fields of the patch.
Comment patched(Comment comment, const Patch& patch);

}  // namespace quire
