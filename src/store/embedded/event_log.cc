#include "store/embedded/event_log.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/clock.h"
#include "loop/awaitable.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/store.h"
#include "store/embedded/view.h"

namespace quire::embedded {
namespace {

constexpr std::size_t max_forgotten = 1000;  // or twice as many as a transaction adds

// The newest mark of the log that was kept before. A damaged row stops no new log.
EventMark last_mark(const Tables& tables, const lmdb::Transaction& txn) {
  auto bytes = txn.find(tables.meta.dbi, "last_mark");
  auto row = bytes ? lmdb::unsealed(tables.meta.seed, "last_mark", *bytes) : std::nullopt;
  return row && row->size() == Key<8>::size ? get_u64(row->data()) : 0;
}

}  // namespace

bool keeps_events(const Tables& tables, const lmdb::Transaction& txn) {
  return txn.entries(tables.events) > 0;
}

std::optional<EventMark> newest_mark(const Tables& tables, const lmdb::Transaction& txn) {
  lmdb::Cursor cursor(txn, tables.events);
  if (!cursor.move(MDB_LAST)) return {};
  return cursor.key().size() == Key<8>::size ? get_u64(cursor.key().data()) : 0;
}

std::optional<std::vector<Revision>> read_revisions(const Tables& tables,
                                                    const lmdb::Transaction& txn,
                                                    ProductNumber product) try {
  auto row = txn.find(tables.revisions, number_value(product));
  return row ? decode_revisions(*row) : std::vector<Revision>();
} catch (const lmdb::Damaged&) {
  return {};
}

void EventLog::keep(bool kept) {
  if (kept == kept_) return;
  kept_ = kept;
  if (kept) return begin_anew();
  txn_.put(tables_.meta, "last_mark", event_key(newest_mark(tables_, txn_).value_or(0)));
  events_.clear();
  txn_.clear(tables_.events);
}

void EventLog::add(EventType type, const Comment& comment, bool fresh, bool imported) {
  if (!kept_) return;
  import_ = import_ || imported;
  events_.push_back({.type = type,
                     .fresh = fresh,
                     .imported = imported,
                     .id = comment.id,
                     .product = comment.product});
}

void EventLog::add(Event event) {
  if (kept_) events_.push_back(std::move(event));
}

void EventLog::add_erasure() {
  if (kept_) events_.push_back({.type = EventType::erased});
}

void EventLog::forget(std::span<const Ulid> comments) {
  if (!kept_ || comments.empty()) return;
  std::set<std::string_view> ids;
  for (const auto& id : comments) ids.insert(id.view());
  std::erase_if(events_, [&](const Event& event) {
    return event.type != EventType::removed && ids.contains(event.id.view());
  });
  // Those who follow a product that the comment was taken from learn by such an event alone that it
  // is gone. It has the id and the product.
  auto tells_removal = [](std::string_view key, std::string_view row) {
    try {
      auto event = decode_event(key, row).event;
      return event && event->type == EventType::removed;
    } catch (const lmdb::Damaged&) {
      return false;
    }
  };
  std::vector<std::pair<std::string, std::uint64_t>> rows;  // with their times
  for (const auto& entry : lmdb::Entries(txn_, tables_.events)) {
    bool names = ids.contains(event_comment(entry.value()));
    if (names && !tells_removal(entry.key(), entry.value()))
      rows.emplace_back(entry.key(), get_u64(entry.value().data()));
  }
  for (const auto& [key, time] : rows) txn_.put(tables_.events, key, encode_mark(time));
}

// The mark before was the newest one, so readers see that theirs is gone.
void EventLog::begin_anew() {
  if (!kept_) return;
  auto mark = next_mark();
  events_.clear();
  txn_.clear(tables_.events);
  txn_.put(tables_.events, event_key(mark), encode_mark(system_ms()));
  begun_ = true;
}

bool EventLog::write() {
  if (import_ && txn_.entries(tables_.events) + events_.size() > bounds_.rows) begin_anew();
  if (events_.empty()) return begun_;
  auto now = system_ms();
  auto mark = next_mark();
  for (auto& event : events_) {
    if (event.time_ms == 0) event.time_ms = now;
    txn_.put(tables_.events, event_key(mark++), encode_event(event));
  }
  auto added = events_.size();
  events_.clear();
  forget_old(now, std::max(max_forgotten, 2 * added));
  return true;
}

// The clock may stand still, or be set back, while the log is not kept.
EventMark EventLog::next_mark() const {
  auto newest = newest_mark(tables_, txn_);
  auto last = newest ? *newest : last_mark(tables_, txn_);
  return std::max(last + 1, system_ms() * 1000);
}

// The newest event stays, since its mark is the beginning of the next one.
void EventLog::forget_old(std::uint64_t now_ms, std::size_t at_most) {
  auto rows = txn_.entries(tables_.events);
  lmdb::Cursor oldest(txn_, tables_.events);
  for (std::size_t i = 0; i < at_most && rows > 1 && oldest.move(MDB_FIRST); ++i) {
    auto time = oldest.value().size() < 8 ? 0 : get_u64(oldest.value().data());
    if (rows <= bounds_.rows && time + bounds_.ms > now_ms) return;
    oldest.remove();
    --rows;
  }
}

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
    run.damaged = run.damaged || !row;
    if (cursor.key().size() == 8) run.last = get_u64(cursor.key().data());
    if (row && row->event) run.events.push_back(std::move(*row->event));
  }
  co_return Found(std::move(run));
}

Awaitable<Result<std::vector<Revision>>> LmdbView::revisions(std::optional<std::string> product) {
  auto number = all_products;
  if (product) {
    CO_TRY(const auto* named, this->product(*product));
    if (!named) co_return std::vector<Revision>();
    number = named->number;
  }
  auto found = read_revisions(db_, txn_, number);
  if (!found) leave_out("the times at which comments were changed");
  co_return std::move(found).value_or(std::vector<Revision>());
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
