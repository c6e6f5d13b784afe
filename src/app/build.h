// Builds what follows a table, from all of its comments.
#pragma once

#include <string>

#include "app/projection.h"

namespace quire {

struct Built {
  bool was_there = false;  // and follows the stream: nothing was done
};

// Blocks until it is built, and follows the stream. Killed, it goes on when it is called again.
// The page index is built in place. Statistics are recounted in a page index of their own, in a
// temporary directory, which needs about 150 bytes a comment; then they change where they differ.
Result<Built> build(OpenProjection& open, const OpenProjection::Followed& what,
                    const projection::Building& options, projection::Progress& progress);

// Builds what nothing was built of yet, if the table has no comment and hardly anything else: that
// takes a moment, and what is written meanwhile is not lost. Whether it did.
Awaitable<bool> begin_if_empty(OpenProjection& open, const OpenProjection::Followed& what);

Error nothing_follows();

}  // namespace quire
