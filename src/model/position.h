// A position in a listing.
#pragma once

#include <cstdint>
#include <optional>

#include "quire/ulid.h"

namespace quire {

// Names a comment by what it sorts by. The comment need not exist: a position whose comment was
// removed still lies between the same two comments.
struct Position {
  Ulid id;
  // Where the sort is by a facet, the comment's value of it; absent: it has none, or the sort is
  // by time.
  std::optional<std::int64_t> value = {};

  friend bool operator==(const Position&, const Position&) = default;
};

}  // namespace quire
