// Comments that are not published are in the databases of their status, and nowhere else.
// Publishing puts them on lists, and holding takes them off, within one transaction.
#include <algorithm>
#include <set>
#include <tuple>

#include "base/clock.h"
#include "base/limits.h"
#include "base/try.h"
#include "loop/awaitable.h"
#include "model/document.h"
#include "store/embedded/documents.h"
#include "store/embedded/edit.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/store.h"

namespace quire::embedded {
namespace {

constexpr CommentStatus unpublished[] = {CommentStatus::pending, CommentStatus::rejected};
constexpr std::ptrdiff_t contacts_at_once = 1000;  // that one transaction forgets

struct DueContacts {
  std::vector<std::string> keys = {};  // of the reports
  std::uint64_t damaged = 0;           // pages, entries and reports
};

// The reports whose contacts are due, in the store as it is now.
Awaitable<DueContacts> keys_due(const Databases& databases, std::uint64_t decided_before_ms) {
  DueContacts due;
  lmdb::ReadTransaction txn(*databases.environment);
  lmdb::Cursor cursor(txn, databases.reports.dbi);
  cursor.pass_damage();
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
    if (turn_is_over()) co_await next_turn();
    auto report = read_report(databases, cursor.key(), cursor.value());
    if (report && report->contact.is_decided_before(decided_before_ms))
      due.keys.emplace_back(cursor.key());
    due.damaged += !report;
  }
  due.damaged += cursor.passed();
  co_return due;
}

// Whether the change makes no difference to those who read the comment: votes and decisions do not.
bool reads_alike(const Comment& a, const Comment& b) {
  auto shown = [](const Comment& c) {
    return std::tie(c.language, c.rating, c.author, c.title, c.text, c.media, c.reply);
  };
  return a.published() == b.published() && shown(a) == shown(b);
}

}  // namespace

const lmdb::Sealed& held_in(const Tables& tables, CommentStatus status) {
  return status == CommentStatus::pending ? tables.pending : tables.rejected;
}

std::optional<Comment> read_held(const lmdb::Sealed& database, const lmdb::Cursor& cursor,
                                 CommentStatus status) {
  if (cursor.key().size() != Ulid::size) return {};
  auto document = lmdb::unsealed(database.seed, cursor.key(), cursor.value());
  auto comment = document ? decode_document(*document) : std::nullopt;
  bool whole =
      comment && comment->id == id_at_end(cursor.key()) && comment->moderation.status == status;
  return whole ? std::move(comment) : std::nullopt;
}

std::optional<Result<Comment>> find_held(const lmdb::Transaction& txn, const Tables& tables,
                                         const Ulid& id) try {
  for (auto status : unpublished) {
    auto bytes = txn.find(held_in(tables, status), id.view());
    if (!bytes) continue;
    auto comment = decode_document(*bytes);
    bool whole = comment && comment->id == id && comment->moderation.status == status;
    if (!whole) return damaged_comment(id);
    return std::move(*comment);
  }
  return {};
} catch (const lmdb::Damaged&) {
  return damaged_comment(id);
}

std::optional<Result<Edit::FoundComment>> Edit::find_held(const Ulid& id) const {
  auto comment = embedded::find_held(txn_, db_, id);
  if (!comment) return {};
  if (!*comment) return Result<FoundComment>(comment->error());
  return FoundComment{0, encode_document(**comment), std::move(**comment)};
}

const lmdb::Sealed& Edit::held(CommentStatus status) const {
  return held_in(db_, status);
}

bool Edit::is_held(const Ulid& id) const {
  auto in = [&](CommentStatus status) {
    MDB_dbi database = held(status).dbi;
    return txn_.entries(database) > 0 && txn_.find(database, id.view());  // mostly none is held
  };
  return in(CommentStatus::pending) || in(CommentStatus::rejected);
}

void Edit::put(const Comment& comment, const std::string& document) {
  if (!comment.published()) {
    txn_.put(held(comment.moderation.status), comment.id.view(),
             encode_document(comment, Members::kept));
    return;
  }
  put_on_lists(comment, document);
  auto row = encode_moderation(comment.moderation);
  if (!row.empty()) txn_.put(db_.moderation, comment.id.view(), row);
}

void Edit::put_decision(const Comment& comment) {
  auto row = encode_moderation(comment.moderation);
  if (row.empty())
    txn_.remove(db_.moderation, comment.id.view());
  else
    txn_.put(db_.moderation, comment.id.view(), row);
}

// A row that is damaged begins anew: no write depends on it.
std::vector<Revision>& Edit::revisions(ProductNumber product) {
  auto [at, fresh] = revisions_.try_emplace(product);
  if (fresh) at->second = read_revisions(db_, txn_, product).value_or(std::vector<Revision>());
  return at->second;
}

// Absent: it is not among those that were changed last.
std::optional<Revision> Edit::revision(ProductNumber product, const Ulid& id) {
  if (revisions_.empty() && txn_.entries(db_.revisions) == 0) return {};
  const auto& latest = revisions(product);
  auto at =
      std::find_if(latest.begin(), latest.end(), [&](const auto& each) { return each.id == id; });
  return at == latest.end() ? std::nullopt : std::optional(*at);
}

// In its place by time: later ones are before it.
void Edit::keep_revision(ProductNumber product, const Revision& revision) {
  for (auto of : {product, all_products}) {
    auto& latest = revisions(of);
    auto earlier = std::find_if(latest.begin(), latest.end(),
                                [&](const Revision& each) { return each.at_ms <= revision.at_ms; });
    latest.insert(earlier, revision);
    if (latest.size() > max_revisions) latest.pop_back();
  }
}

void Edit::note_revision(const Comment& before, const Comment& after) {
  if (!after.published() || reads_alike(before, after)) return;
  auto number = product(after.product).second.row.number;
  forget_revision(number, after.id);
  for (auto of : {number, all_products}) {
    auto& latest = revisions(of);
    latest.insert(latest.begin(), {after.id, system_ms()});
    if (latest.size() > max_revisions) latest.pop_back();
  }
}

void Edit::forget_revision(ProductNumber product, const Ulid& id) {
  if (revisions_.empty() && txn_.entries(db_.revisions) == 0) return;  // mostly there are none
  for (auto of : {product, all_products})
    std::erase_if(revisions(of), [&](const Revision& each) { return each.id == id; });
}

void Edit::write_revisions() {
  for (const auto& [product, latest] : revisions_) {
    auto key = number_value(product);
    if (latest.empty())
      txn_.remove(db_.revisions, key);
    else
      txn_.put(db_.revisions, key, encode_revisions(latest));
  }
  revisions_.clear();
}

Result<std::optional<Edited>> Edit::report(const Ulid& id, const Report& report,
                                           std::uint64_t hold_at) {
  TRY(auto found, find(id));
  if (!found.comment.published()) return no_such_comment();
  auto reports = reports_of(txn_, db_, id);
  auto key = report_key(id, report.person);
  const auto& present = found.comment.moderation;
  bool full = reports.size() >= limits::reports;
  bool fresh = !full && !txn_.find(db_.reports, key);
  if (fresh) txn_.put(db_.reports, key, encode_report(report));
  if (fresh || (full && !present.decided)) txn_.put(db_.reported, id.view(), {});
  bool enough = hold_at > 0 && reports.size() + fresh >= hold_at;
  bool holds = enough && (fresh || full) && !present.decided;
  if (fresh && !holds) events_.add(EventType::reported, found.comment);
  if (!holds) return std::optional<Edited>();
  if (auto to = successor(found.comment.product)) move(found, *to);
  Comment pending = found.comment;
  pending.moderation = quire::held(present, "reports", report.at_ms);
  events_.add(EventType::held, pending);
  take(found);
  put(pending, {});
  return std::optional(
      Edited{std::move(found.document), encode_document(pending), pending.moderation, present});
}

Result<Edited> Edit::undo(const Ulid& id, const Undo& undo, const Condition& condition) {
  TRY(auto edited, update(id, {}, condition, undo.moderate()));
  auto reports = reports_of(txn_, db_, id);
  // Who reported it may have been erased since.
  if (undo.reported && !reports.empty()) txn_.put(db_.reported, id.view(), {});
  if (!undo.reopen(reports)) return edited;
  for (const auto& each : reports)
    txn_.put(db_.reports, report_key(id, each.person), encode_report(each));
  return edited;
}

Status Edit::keep_report(const Ulid& id, const Report& report) {
  TRY(auto found, find(id));
  auto key = report_key(id, report.person);
  bool kept = reports_of(txn_, db_, id).size() < limits::reports && !txn_.find(db_.reports, key);
  if (!kept) return Done{};
  txn_.put(db_.reports, key, encode_report(report));
  events_.add(EventType::reported, found.comment, false, true);
  if (found.comment.published() && !report.answered) txn_.put(db_.reported, id.view(), {});
  return Done{};
}

std::vector<Report> reports_of(const lmdb::Transaction& txn, const Tables& tables, const Ulid& id) {
  std::vector<Report> reports;
  lmdb::Cursor cursor(txn, tables.reports);
  bool there = cursor.seek(id.view(), MDB_SET_RANGE);
  for (; there && cursor.key().starts_with(id.view()); there = cursor.move(MDB_NEXT)) {
    auto row = lmdb::unsealed(tables.reports.seed, cursor.key(), cursor.value());
    reports.push_back(decode_report(cursor.key(), row.value_or("")));
  }
  std::stable_sort(reports.begin(), reports.end(),
                   [](const Report& a, const Report& b) { return a.at_ms < b.at_ms; });
  return reports;
}

std::optional<Report> read_report(const Tables& tables, std::string_view key,
                                  std::string_view sealed) {
  auto row = lmdb::unsealed(tables.reports.seed, key, sealed);
  if (!row || !is_report(key, *row)) return {};
  return decode_report(key, *row);
}

void Edit::settle_contacts(const Ulid& id, std::uint64_t now_ms) {
  for (const auto& key : lmdb::keys_under(txn_, db_.reports, id.view())) {
    auto report = read_report(db_, key, txn_.find(db_.reports.dbi, key).value_or(""));
    if (!report || !report->contact.waits()) continue;
    report->contact.decided_ms = now_ms;
    txn_.put(db_.reports, key, encode_report(*report));
  }
}

Result<std::size_t> Edit::forget_contacts(const std::vector<std::string>& keys,
                                          std::uint64_t decided_before_ms) {
  std::size_t forgotten = 0;
  for (const auto& key : keys) {
    auto report = read_report(db_, key, txn_.find(db_.reports.dbi, key).value_or(""));
    if (!report || !report->contact.is_decided_before(decided_before_ms)) continue;
    report->contact = {};
    txn_.put(db_.reports, key, encode_report(*report));
    ++forgotten;
  }
  return forgotten;
}

Awaitable<Result<std::size_t>> LmdbStore::forget_contacts(std::uint64_t decided_before_ms) try {
  std::size_t forgotten = 0;
  auto [keys, damaged] = co_await keys_due(*databases_, decided_before_ms);
  for (auto from = keys.begin(); from != keys.end();) {
    auto to = from + std::min<std::ptrdiff_t>(keys.end() - from, contacts_at_once);
    auto forget = [some = std::vector<std::string>(from, to), decided_before_ms](Edit& edit) {
      return edit.forget_contacts(some, decided_before_ms);
    };
    CO_TRY(auto part, co_await write<std::size_t>(std::move(forget)));
    forgotten += part;
    from = to;
  }
  if (damaged > 0)
    co_return Error{ErrorCode::damaged, "Reports are damaged: run quire verify --repair."};
  co_return forgotten;
} catch (const lmdb::Failure& failure) {
  co_return explain(failure);
} catch (const lmdb::Damaged& damaged) {
  co_return Error{ErrorCode::damaged, damaged.what()};
}

// Sets aside the comments that cannot be read, or are published as well; drops decisions and
// reports that cannot be read, or have no comment.
void Edit::repair_moderation(Rebuilt& rebuilt) {
  for (auto status : unpublished) {
    const auto& database = held(status);
    std::vector<std::string> bad;
    for (const auto& entry : lmdb::Entries(txn_, database)) {
      auto comment = read_held(database, entry, status);
      bool whole = comment && !txn_.find(db_.ids.dbi, entry.key());
      bool twice = status == CommentStatus::pending && txn_.find(db_.rejected.dbi, entry.key());
      if (!whole || twice) {
        bad.emplace_back(entry.key());
        continue;
      }
      ++rebuilt.comments;
      put_customer(*comment);
    }
    for (const auto& key : bad) set_comment_aside(database, key, rebuilt);
  }
  drop_from(db_.moderation, rebuilt,
            [&](std::string_view key, std::optional<std::string_view> row) {
              return !row || !is_moderation(*row) || !txn_.find(db_.ids.dbi, key);
            });
  std::set<std::string> reported;
  drop_from(db_.reports, rebuilt, [&](std::string_view key, std::optional<std::string_view> row) {
    auto id = key.substr(0, Ulid::size);
    bool published = txn_.find(db_.ids.dbi, id).has_value();
    bool bad = !row || !is_report(key, *row) || !(published || is_held(id_at_end(id)));
    if (!bad && published) reported.emplace(id);
    return bad;
  });
  repair_reported(reported);
}

// Which reports wait for a moderator is written there alone, so whole rows stay. Where one was
// damaged, all published comments come in that have reports and no decision.
void Edit::repair_reported(const std::set<std::string>& published_with_reports) {
  std::vector<std::string> bad;
  for (const auto& entry : lmdb::Entries(txn_, db_.reported))
    if (!entry.value().empty() || !published_with_reports.contains(std::string(entry.key())))
      bad.emplace_back(entry.key());
  for (const auto& key : bad) txn_.remove(db_.reported, key);
  if (bad.empty()) return;
  for (const auto& id : published_with_reports) {
    auto decision = txn_.find(db_.moderation, id);
    if (!decision || !decode_moderation(*decision).decided) txn_.put(db_.reported, id, {});
  }
}

// Removes the rows that are bad; a damaged row has no value.
void Edit::drop_from(
    const lmdb::Sealed& database, Rebuilt& rebuilt,
    const std::function<bool(std::string_view, std::optional<std::string_view>)>& is_bad) {
  std::vector<std::string> bad;
  for (const auto& entry : lmdb::Entries(txn_, database)) {
    auto row = lmdb::unsealed(database.seed, entry.key(), entry.value());
    if (!is_bad(entry.key(), row)) continue;
    bad.emplace_back(entry.key());
    rebuilt.removed += !row;
  }
  for (const auto& key : bad) txn_.remove(database, key);
}

void Edit::forget_reports(const Ulid& id) {
  for (const auto& key : lmdb::keys_under(txn_, db_.reports, id.view()))
    txn_.remove(db_.reports, key);
  txn_.remove(db_.reported, id.view());
}

}  // namespace quire::embedded
