// Writes the log of events within one write transaction. An empty log is not kept: a kept one has
// at least the row of a mark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "event/event.h"
#include "lmdb/environment.h"
#include "quire/comment.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/format/tables.h"
#include "store/event_log.h"

namespace quire::embedded {

// The log forgets the oldest events beyond one of these.
struct EventBounds {
  std::size_t rows = 1'000'000;
  std::uint64_t ms = std::uint64_t{7} * 24 * 60 * 60 * 1000;
};

// The row of `meta` that says how far a table's stream was read, of which the log tells: Outbox.
inline constexpr std::string_view followed_row = "followed";

// Whether the log is kept.
bool keeps_events(const Tables& tables, const lmdb::Transaction& txn);
// The newest mark. Absent: the log is not kept.
std::optional<EventMark> newest_mark(const Tables& tables, const lmdb::Transaction& txn);
// Of comments of a product. Absent: the row is damaged.
std::optional<std::vector<Revision>> read_revisions(const Tables& tables,
                                                    const lmdb::Transaction& txn,
                                                    ProductNumber product);

class EventLog {
 public:
  EventLog(const Tables& tables, lmdb::WriteTransaction& txn, EventBounds bounds = {})
      : tables_(tables), txn_(txn), bounds_(bounds), kept_(keeps_events(tables, txn)) {}

  bool kept() const { return kept_; }
  // Keeps the log from now on, or no longer.
  void keep(bool kept);
  // Does nothing where the log is not kept. Mark and time follow when it is written.
  void add(EventType type, const Comment& comment, bool fresh = false, bool imported = false);
  void add_erasure();
  // Adds it as it is, but for its mark; its time is kept.
  void add(Event event);
  // Tells nothing more of these comments but that they were removed. Looks at the whole log.
  void forget(std::span<const Ulid> comments);
  // Makes readers of earlier marks begin anew: they miss events.
  void begin_anew();
  // Writes the events. Whether there were any, or the log began anew.
  bool write();

 private:
  EventMark next_mark() const;
  void forget_old(std::uint64_t now_ms, std::size_t at_most);

  const Tables& tables_;
  lmdb::WriteTransaction& txn_;
  const EventBounds bounds_;
  bool kept_;
  bool begun_ = false;
  bool import_ = false;        // whether an import adds to it
  std::vector<Event> events_;  // of this transaction
};

}  // namespace quire::embedded
