// Comments that are not published are in the databases of their status, and nowhere else.
// Publishing puts them on lists, and holding takes them off, within one transaction.
#include "base/limits.h"
#include "model/document.h"
#include "store/embedded/documents.h"
#include "store/embedded/edit.h"
#include "store/embedded/format/moderation_rows.h"

namespace quire::embedded {
namespace {

constexpr CommentStatus unpublished[] = {CommentStatus::pending, CommentStatus::rejected};

}  // namespace

const lmdb::Sealed& held_in(const Tables& tables, CommentStatus status) {
  return status == CommentStatus::pending ? tables.pending : tables.rejected;
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

std::optional<Result<Edit::Found>> Edit::find_held(const Ulid& id) const {
  auto comment = embedded::find_held(txn_, db_, id);
  if (!comment) return {};
  if (!*comment) return Result<Found>(comment->error());
  return Found{0, encode_document(**comment), std::move(**comment)};
}

const lmdb::Sealed& Edit::held(CommentStatus status) const {
  return held_in(db_, status);
}

bool Edit::is_held(const Ulid& id) const {
  auto in = [&](CommentStatus status) {
    return txn_.find(held(status).dbi, id.view()).has_value();
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
  put_decision(comment);
}

// A moderator who publishes a comment has seen its reports.
void Edit::put_decision(const Comment& comment) {
  auto row = encode_moderation(comment.moderation);
  if (row.empty())
    txn_.remove(db_.moderation, comment.id.view());
  else
    txn_.put(db_.moderation, comment.id.view(), row);
  if (comment.moderation.decided) txn_.remove(db_.reported, comment.id.view());
}

Result<bool> Edit::report(const Ulid& id, const Report& report, std::uint64_t hold_at) {
  auto found = find(id);
  if (!found) return found.error();
  if (!found->comment.published()) return no_such_comment();
  auto reports = reports_of(txn_, db_, id);
  auto key = report_key(id, report.person);
  if (reports.size() >= limits::reports || txn_.find(db_.reports, key)) return false;
  txn_.put(db_.reports, key, encode_report(report));
  txn_.put(db_.reported, id.view(), {});
  const auto& present = found->comment.moderation;
  if (hold_at == 0 || reports.size() + 1 < hold_at || present.decided) return false;
  Comment pending = found->comment;
  pending.moderation = quire::held(present, "reports", report.at_ms);
  take(*found);
  put(pending, {});
  return true;
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

void Edit::forget_reports(const Ulid& id) {
  std::vector<std::string> keys;
  lmdb::Cursor cursor(txn_, db_.reports);
  bool there = cursor.seek(id.view(), MDB_SET_RANGE);
  for (; there && cursor.key().starts_with(id.view()); there = cursor.move(MDB_NEXT))
    keys.emplace_back(cursor.key());
  for (const auto& key : keys) txn_.remove(db_.reports, key);
  txn_.remove(db_.reported, id.view());
}

}  // namespace quire::embedded
