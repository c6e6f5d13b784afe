// A change asked for, made.
#pragma once

#include "quire/comment.h"

namespace quire {

// The comment with what the patch says.
Comment patched(Comment comment, const Patch& patch);

}  // namespace quire
