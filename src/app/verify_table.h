// A table's statistics, leaderboards and page index against a recount of its comments.
#pragma once

#include "app/open.h"
#include "app/projection.h"

namespace quire {

struct Reports {
  std::size_t differences = 0;
  std::vector<std::string> sentences = {};  // one each; of the first thousand
};

struct Checked {
  std::size_t comments = 0;  // counted
  Reports found = {};
  Reports left = {};  // after mending
};

// Names the items that are at fault, too: damaged ones, and comments in other lists than their own.
// To mend them sets the first aside, and puts the others into their lists.
// Writes may go on meanwhile: what differs is looked at again, in step with the stream, and only
// what differs every time is reported. `mend`: it is put right, too, and again if writes came
// between; the index or its worker may go on serving.
// `poll`: between looks at a shard.
Result<Checked> verify_table(OpenProjection& open, bool mend, Milliseconds poll,
                             projection::Progress& progress);

}  // namespace quire
