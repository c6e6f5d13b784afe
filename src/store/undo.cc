#include "store/undo.h"

#include "quire/result.h"

namespace quire {

Moderate Undo::moderate() const {
  return [before = before, after = after](const Comment& present, Comment& changed) -> Status {
    if (present.moderation != after)
      return Error{ErrorCode::precondition_failed,
                   "The comment was decided on again meanwhile. Read it, and decide anew."};
    changed.moderation = before;
    return Done{};
  };
}

bool Undo::reopen(std::vector<Report>& reports) const {
  bool any = false;
  for (auto& report : reports) {
    auto& contact = report.contact;
    if (contact.none() || contact.waits() || contact.decided_ms < at_ms) continue;
    contact.decided_ms = 0;
    any = true;
  }
  return any;
}

}  // namespace quire
