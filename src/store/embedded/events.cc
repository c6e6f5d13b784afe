// The log of events, as it is read; and whether it is kept.
#include "loop/awaitable.h"
#include "store/embedded/event_log.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/store.h"
#include "store/embedded/view.h"

namespace quire::embedded {
namespace {

// Absent: the row is damaged.
std::optional<EventRow> read_event(const lmdb::Sealed& events, const lmdb::Cursor& cursor) try {
  auto bytes = lmdb::unsealed(events.seed, cursor.key(), cursor.value());
  return decode_event(cursor.key(), bytes.value_or(""));
} catch (const lmdb::Damaged&) {
  return {};
}

}  // namespace

std::optional<EventMark> LmdbView::newest_event() {
  return newest_mark(db_, txn_);
}

Awaitable<Result<std::optional<EventRun>>> LmdbView::events(std::optional<EventMark> after,
                                                            std::size_t limit) {
  using Found = std::optional<EventRun>;
  lmdb::Cursor cursor(txn_, db_.events);
  bool known = after ? cursor.seek(event_key(*after), MDB_SET_KEY) : cursor.move(MDB_FIRST);
  if (!known) co_return Found();
  EventRun run{{}, after.value_or(0)};
  bool there = after ? cursor.move(MDB_NEXT) : true;
  for (; there && run.events.size() < limit; there = cursor.move(MDB_NEXT)) {
    if (turn_is_over()) co_await next_turn();
    auto row = read_event(db_.events, cursor);
    if (!row) leave_out("an event");
    if (!row) co_return Found();
    run.last = get_u64(cursor.key().data());
    if (row->event) run.events.push_back(std::move(*row->event));
  }
  co_return Found(std::move(run));
}

Awaitable<Status> LmdbStore::keep_events(bool kept) {
  {
    lmdb::ReadTransaction txn(*databases_->environment);
    if (embedded::keeps_events(*databases_, txn) == kept) co_return Done{};
  }
  co_return co_await write<Done>([kept](Edit& edit) -> Status {
    edit.keep_events(kept);
    return Done{};
  });
}

}  // namespace quire::embedded
