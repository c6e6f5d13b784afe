// The log of events of a store: what happened to its comments, in the order in which it happened.
// Who keeps a copy of the comments follows it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "loop/awaitable.h"
#include "loop/bell.h"
#include "quire/result.h"
#include "store/event.h"

namespace quire {

struct EventRun {
  std::vector<Event> events;
  EventMark last;  // up to which the log was read
};

// The log as a view sees it, of one state with all that the view reads.
class EventView {
 public:
  virtual ~EventView() = default;

  // The mark of the newest event. Absent: the log is not kept.
  virtual std::optional<EventMark> newest_event() = 0;
  // At most `limit` events behind this mark; no mark: from the beginning of the log. Absent: the
  // log does not have this mark, or is damaged or not kept, so events are missing.
  virtual Awaitable<Result<std::optional<EventRun>>> events(std::optional<EventMark> after,
                                                            std::size_t limit) = 0;
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
