// A position in a listing.
#pragma once

#include "model/facets.h"
#include "quire/ulid.h"

namespace quire {

// Names a comment by what it sorts by. The comment need not exist: a position whose comment was
// removed still lies between the same two comments.
struct Position {
  Ulid id;
  FacetValue value = any;  // of the facet the sort is by; any: the sort is by time

  friend bool operator==(const Position&, const Position&) = default;
};

}  // namespace quire
