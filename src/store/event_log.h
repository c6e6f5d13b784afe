// The log of events of a store: what happened to its comments, in the order in which it happened.
// Who keeps a copy of the comments follows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "event/event.h"
#include "loop/awaitable.h"
#include "loop/bell.h"
#include "quire/result.h"
#include "quire/ulid.h"

namespace quire {

struct EventRun {
  std::vector<Event> events;
  EventMark last;        // up to which the log was read
  bool damaged = false;  // rows that cannot be read were left out: events are missing
};

// That a published comment was changed.
struct Revision {
  Ulid id;
  std::uint64_t at_ms;  // since 1970

  friend bool operator==(const Revision&, const Revision&) = default;
};
inline constexpr std::size_t max_revisions = 20;  // of a product, and of all

// The log as a view sees it, of one state with all that the view reads.
class EventView {
 public:
  virtual ~EventView() = default;

  // The mark of the newest event. Absent: the log is not kept.
  virtual std::optional<EventMark> newest_event() = 0;
  // At most `limit` events behind this mark; no mark: from the beginning of the log. Absent: the
  // log does not have this mark, or is not kept, so events are missing.
  virtual Awaitable<Result<std::optional<EventRun>>> events(std::optional<EventMark> after,
                                                            std::size_t limit) = 0;
  // Of the published comments of a product, or of all products: those that were published after
  // they were written, edited or replied to last; the latest first, each once, at most
  // `max_revisions`, whether the log is kept or not. No earlier one takes the place of one that was
  // removed. unavailable.
  virtual Awaitable<Result<std::vector<Revision>>> revisions(
      std::optional<std::string> product) = 0;
};

class EventPort {
 public:
  virtual ~EventPort() = default;

  // Keeps the log from now on, in the transaction of each change; or no longer, and then its events
  // go. All processes that write the store obey. unavailable.
  virtual Awaitable<Status> keep_events(bool kept) = 0;
  // Rings after each commit that adds events.
  virtual Bell& event_bell() = 0;
};

}  // namespace quire
