// A table's statistics, leaderboards and page index against a recount of its comments.
#pragma once

#include "wiring/open.h"
#include "wiring/projection.h"

namespace quire {

struct Checked {
  std::size_t comments = 0;  // counted
  std::size_t differences = 0;
  std::size_t left = 0;              // of these, after mending
  std::vector<std::string> reports;  // a sentence each; the first thousand
};

// Writes may go on meanwhile: what differs is looked at again, in step with the stream, and only
// what differs every time is reported. `mend`: it is put right, too; the index or its worker may go
// on serving.
Result<Checked> verify_table(OpenProjection& open, bool mend, projection::Progress& progress);

}  // namespace quire
