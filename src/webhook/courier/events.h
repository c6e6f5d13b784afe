// The port of a log of events, from which the courier reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loop/awaitable.h"
#include "loop/bell.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "webhook/webhook.h"

namespace quire::webhook {

struct Run {
  std::vector<Event> events;  // oldest first
  std::uint64_t last;         // the mark up to which the log was read
};

// The comment of an event as it may be told. Null: it is gone, rejected, or of another product
// since; then nothing of it is told.
inline const Comment* told(const Event& event, const std::optional<Comment>& comment) {
  bool none = !comment || comment->moderation.status == CommentStatus::rejected ||
              comment->product != event.product;
  return none ? nullptr : &*comment;
}

// Asked on the courier's loop. Each fails by unavailable, and ends: what it asks has a deadline.
class Events {
 public:
  virtual ~Events() = default;

  // Rings after each change that adds events. Thread-safe.
  virtual Bell& bell() = 0;
  // The newest mark. Who begins there misses no event that comes later.
  virtual Awaitable<Result<std::uint64_t>> newest() = 0;
  // At most `limit` events behind the mark; no mark: from the beginning of the log. Absent: the log
  // does not have this mark any more, so events are missing.
  virtual Awaitable<Result<std::optional<Run>>> after(std::optional<std::uint64_t> mark,
                                                      std::size_t limit) = 0;
  // The event of this mark. Absent: the log does not have it any more.
  virtual Awaitable<Result<std::optional<Event>>> event(std::uint64_t mark) = 0;
  // The comments as they stand, in the order of the ids. Absent: it is not there.
  virtual Awaitable<Result<std::vector<std::optional<Comment>>>> comments(
      std::vector<Ulid> ids) = 0;
  // Empty: the shop tells none.
  virtual Awaitable<Result<std::string>> product_name(std::string product) = 0;
  // From now on comments() ends soon. Thread-safe.
  virtual void stop() {}
};

}  // namespace quire::webhook
