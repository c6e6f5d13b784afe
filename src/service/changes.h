// The log of events for programs that keep a copy of the comments: each event with its comment as
// it stands when it is told.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "event/event.h"
#include "loop/awaitable.h"
#include "loop/gate.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "store/store.h"

namespace quire {

struct ChangesQuestion {
  std::optional<EventMark> after = {};  // absent: from the beginning of the log
  std::string products = {};            // how the names of the products begin
  std::size_t limit = 100;              // of events
  Deadline until = {};                  // so long it waits for a first event
};

struct ToldEvent {
  Event event;
  std::optional<Comment> comment;  // of any status, with its moderation; absent: it is gone
};

struct FoundChanges {
  std::vector<ToldEvent> told;
  EventMark last;       // up to which the log was read: where the next question goes on
  bool at_end = false;  // no event is behind it yet
};

// Thread-safe; the store must outlive it.
class Changes {
 public:
  static constexpr std::size_t max_waiting = 256;       // readers
  static constexpr std::size_t max_looked_at = 10'000;  // events of one answer
  static constexpr std::size_t max_text = 1 << 20;      // bytes of texts, but for the last event

  explicit Changes(Store& store) : store_(store) {}

  // Whether the store can keep a log.
  bool possible() const { return store_.event_log() != nullptr; }
  // See EventPort. forbidden: the store can keep no log.
  Awaitable<Status> keep(bool kept) const;
  // The newest mark, of a log that is kept from now on if it was not before. forbidden, as above;
  // unavailable.
  Awaitable<Result<EventMark>> newest() const;
  // Events behind a mark. It may end before the limit: the next question goes on behind `last`.
  // With all events up to `last` comes the state of the store there, or a later one of which the
  // next question tells. Absent: the log does not have the mark, or is not kept. forbidden, as
  // above; unavailable: too many readers wait.
  Awaitable<Result<std::optional<FoundChanges>>> after(ChangesQuestion question) const;
  // From now on nobody waits.
  void stop();

 private:
  Awaitable<Result<std::optional<FoundChanges>>> look(const ChangesQuestion& question) const;

  Store& store_;
  std::atomic<bool> stopped_ = false;
  mutable std::atomic<std::size_t> waiting_ = 0;
};

}  // namespace quire
