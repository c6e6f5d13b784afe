// The log of events of a table, as a target that follows the table's stream. The log is that of an
// embedded store which has no comments. How far the stream was read changes in the transaction that
// adds the events, so each event is in the log once, through kills.
#pragma once

#include <string>

#include "change/target.h"
#include "store/embedded/store.h"

namespace quire::embedded {

// As Target; the store must outlive it. It logs what `Change::event` of each change tells, of what
// happened after the epoch began: a stream also has what happened before. A change without an event
// only moves the mark. Where the store keeps no log, nothing is added.
class Outbox : public change::Target {
 public:
  explicit Outbox(LmdbStore& store) : store_(store) {}

  Awaitable<Result<change::State>> state() override;
  Awaitable<Result<bool>> apply(change::Step step) override;
  // Leaves the events in the log.
  Awaitable<Status> reset(change::State state) override;
  Awaitable<Result<bool>> change_phase(std::string epoch, change::Phase from,
                                       change::Phase to) override;

 private:
  LmdbStore& store_;
};

// Whether the store has a log that follows a stream, or nothing at all.
bool is_apart(const LmdbStore& store);

// The row of a state: docs/formats/store.md
std::string encode_followed(const change::State& state);
// Throws lmdb::Damaged.
change::State decode_followed(std::string_view row);

}  // namespace quire::embedded
