// Builds what follows a table, from all of its comments.
#pragma once

#include <string>

#include "wiring/projection.h"

namespace quire {

struct Built {
  bool was_there = false;  // and follows the stream: nothing was done
};

// Blocks until it is built, and follows the stream. Killed, it goes on when it is called again.
// The page index is built in place. Statistics are recounted in a page index of their own, in a
// temporary directory, which needs about 150 bytes a comment; then they change where they differ.
Result<Built> build(OpenProjection& open, const OpenProjection::Followed& what,
                    const projection::Building& options, projection::Progress& progress);

Error nothing_follows();

}  // namespace quire
