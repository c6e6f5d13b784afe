// A moderator's decision, as it is taken back.
#pragma once

#include <cstdint>
#include <vector>

#include "model/moderation.h"
#include "quire/comment.h"

namespace quire {

struct Undo {
  Moderation before;        // what the comment has again
  Moderation after;         // what the decision gave it
  bool reported = false;    // whether its reports waited for a moderator
  std::uint64_t at_ms = 0;  // when the decision began, in ms since 1970

  // Restores the decision before. precondition_failed: the comment has another one than `after`.
  Moderate moderate() const;
  // The contacts that the decision settled wait again. Returns whether it settled any.
  bool reopen(std::vector<Report>& reports) const;
};

}  // namespace quire
