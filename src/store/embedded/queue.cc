// Reads the queues of moderators.
#include <algorithm>

#include "loop/awaitable.h"
#include "model/document.h"
#include "store/embedded/documents.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/view.h"

namespace quire::embedded {
namespace {

// A page under a filter looks at this many comments at most, and so does its total.
constexpr std::size_t max_looked_at = 10'000;

// The comment that waits longest is looked for among this many that were written first.
constexpr std::size_t max_waiting = 1000;

// The database whose keys are the ids of a queue.
MDB_dbi database_of(const Tables& tables, QueueQuestion::Kind kind) {
  if (kind == QueueQuestion::Kind::pending) return tables.pending.dbi;
  return kind == QueueQuestion::Kind::rejected ? tables.rejected.dbi : tables.reported;
}

// Puts the cursor on the first entry strictly after `from`, if there is one.
bool start(lmdb::Cursor& cursor, Order order, const std::optional<Ulid>& from) {
  if (order == Order::oldest_first) return cursor.after(from ? from->view() : "");
  bool there = from && cursor.seek(from->view(), MDB_SET_RANGE);
  return cursor.move(there ? MDB_PREV : MDB_LAST);
}

// Puts a cursor that stands on an entry on the first one from `id` on.
bool go_on(lmdb::Cursor& cursor, const Ulid& id) {
  return cursor.key() >= id.view() || cursor.seek(id.view(), MDB_SET_RANGE);
}

}  // namespace

Awaitable<Result<Comment>> LmdbView::find(const Ulid& id) {
  auto document = co_await get(id);
  if (!document) {
    auto held =
        document.error().code == ErrorCode::not_found ? find_held(txn_, db_, id) : std::nullopt;
    if (held) co_return std::move(*held);
    co_return document.error();
  }
  auto comment = decode_document(*document);
  if (!comment) co_return damaged_comment(id);
  try {
    if (auto row = txn_.find(db_.moderation, id.view()))
      comment->moderation = decode_moderation(*row);
  } catch (const lmdb::Damaged&) {
    leave_out("the decision on comment " + id.text());
  }
  co_return std::move(*comment);
}

Awaitable<Result<Queued>> LmdbView::queued(const Ulid& id) {
  auto comment = co_await find(id);
  if (!comment) co_return comment.error();
  Queued queued{std::move(*comment), {}};
  try {
    queued.reports = reports_of(txn_, db_, id);
  } catch (const lmdb::Damaged&) {
    leave_out("a report on comment " + id.text());
  }
  co_return queued;
}

Awaitable<Result<QueuePage>> LmdbView::queue(QueueQuestion question) {
  auto database = database_of(db_, question.kind);
  const auto direction = question.direction();
  auto step = direction == Order::newest_first ? MDB_PREV : MDB_NEXT;
  QueuePage page;
  if (!question.filtered())
    page.total = txn_.entries(database);
  else if (!question.from())
    page.total = co_await count(question, database);
  lmdb::Cursor cursor(txn_, database);
  cursor.pass_damage();
  std::size_t looked_at = 0;
  std::optional<Ulid> first, last, further, back;
  for (bool there = start(cursor, direction, question.from()); there; there = cursor.move(step)) {
    if (page.rows.size() == question.limit || looked_at++ == max_looked_at) {
      further = last;
      break;
    }
    if (turn_is_over()) co_await next_turn();
    last = id_at_end(cursor.key());
    if (!first) first = last;
    auto row = co_await queued(*last);
    if (!row) {
      leave_out("comment " + last->text());
      ++page.damaged;
    } else if (question.matches(row->comment)) {
      page.rows.push_back(std::move(*row));
    }
  }
  left_out_ += cursor.passed();
  if (question.from() && first && start(cursor, opposite(direction), first)) back = first;
  page.arrange(question, further, back);
  co_return page;
}

// Rows of decisions and of reports are in the order of ids, as the entries are.
Awaitable<Result<std::vector<Queued>>> LmdbView::moderated(std::string_view,
                                                           std::span<const Entry> entries) {
  std::vector<Queued> out;
  lmdb::Cursor decisions(txn_, db_.moderation.dbi), reports(txn_, db_.reports.dbi);
  decisions.pass_damage();
  reports.pass_damage();
  auto first = entries.empty() ? std::string_view() : entries.front().id.view();
  bool decided = decisions.seek(first, MDB_SET_RANGE),
       reported = reports.seek(first, MDB_SET_RANGE);
  for (const auto& entry : entries) {
    if (turn_is_over()) co_await next_turn();
    decided = decided && go_on(decisions, entry.id);
    reported = reported && go_on(reports, entry.id);
    if (!decided && !reported) break;
    bool known = (decided && decisions.key() == entry.id.view()) ||
                 (reported && reports.key().starts_with(entry.id.view()));
    if (!known) continue;
    auto row = co_await queued(entry.id);
    if (!row) continue;  // it is damaged
    bool answered = !txn_.find(db_.reported, entry.id.view());
    for (auto& report : row->reports) report.answered = answered;
    out.push_back(std::move(*row));
  }
  left_out_ += decisions.passed() + reports.passed();
  co_return out;
}

// How many comments of the queue the filter selects; nothing of a long queue.
Awaitable<std::optional<std::uint64_t>> LmdbView::count(const QueueQuestion& question,
                                                        MDB_dbi database) {
  if (txn_.entries(database) > max_looked_at) co_return std::nullopt;
  std::uint64_t count = 0;
  lmdb::Cursor cursor(txn_, database);
  cursor.pass_damage();
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
    if (turn_is_over()) co_await next_turn();
    auto comment = co_await find(id_at_end(cursor.key()));
    count += comment && question.matches(*comment);
  }
  co_return count;
}

// A comment waits at most since it was written. So behind the one that waits longest, the first
// that was written later ends the search.
Awaitable<Result<std::optional<StatusTotals>>> LmdbView::status_totals() {
  StatusTotals totals{
      {counted_comments(db_, txn_), txn_.entries(db_.pending.dbi), txn_.entries(db_.rejected.dbi)}};
  auto& since = totals.waits_since_ms;
  lmdb::Cursor cursor(txn_, db_.pending);
  cursor.pass_damage();
  std::size_t looked_at = 0;
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
    auto written = id_at_end(cursor.key()).ms();
    if ((since > 0 && written >= since) || looked_at++ == max_waiting) break;
    auto comment = read_held(db_.pending, cursor, CommentStatus::pending);
    if (!comment) continue;
    auto waits = std::max(comment->moderation.held_ms, written);
    if (since == 0 || waits < since) since = waits;
  }
  co_return std::optional(totals);
}

}  // namespace quire::embedded
