// What a caller asked for, made: a comment out of a draft, or of another and a patch.
#pragma once

#include "quire/comment.h"

namespace quire {

Comment comment_of(const Ulid& id, Draft draft);
// The comment with what the patch says.
Comment patched(Comment comment, const Patch& patch);

}  // namespace quire
