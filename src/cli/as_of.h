// The line with the time up to which numbers hold, if they may be behind.
#pragma once

#include <fmt/core.h>

#include "quire/ulid.h"
#include "service/comments.h"

namespace quire::cli {

inline void print_as_of(AsOf as_of_ms) {
  if (!as_of_ms) return;
  fmt::print("{:<16} {}\n", "as of", *as_of_ms > 0 ? time_text(*as_of_ms) : "not known");
}

}  // namespace quire::cli
