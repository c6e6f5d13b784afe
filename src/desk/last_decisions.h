// What moderators decided within the last half minute, so that they can take it back. A process
// knows its own alone, and forgets them when it ends.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "quire/ulid.h"
#include "store/undo.h"

namespace quire::desk {

struct MadeDecision {
  Ulid id;
  std::string tag;  // of the comment, after the decision
  Undo undo;
};

// Thread-safe.
class LastDecisions {
 public:
  static constexpr std::uint64_t kept_ms = 30'000;
  static constexpr std::size_t max_comments = 2'000;  // of all calls; the oldest are forgotten

  // Keeps what one call of this moderator decided. Returns the name by which it is taken.
  std::string keep(std::string moderator, std::vector<MadeDecision> made, std::uint64_t now_ms);
  // What is kept under this name, which is forgotten then. Empty: nothing is, not any more, or it
  // is another moderator's.
  std::vector<MadeDecision> take(std::string_view moderator, std::string_view name,
                                 std::uint64_t now_ms);

 private:
  struct Call {
    std::string name, moderator;
    std::uint64_t ends_ms;
    std::vector<MadeDecision> made;
  };
  void forget(std::uint64_t now_ms);

  std::mutex mutex_;
  std::deque<Call> calls_;    // guarded by mutex_; oldest first
  std::size_t comments_ = 0;  // the same
};

}  // namespace quire::desk
