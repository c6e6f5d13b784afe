// Rows of an import: new ones are inserted together, in the order of their ids; each of the others
// meets the comment that is there, or the id that a removed one left.
#include <algorithm>

#include "store/embedded/documents.h"
#include "store/embedded/edit.h"

namespace quire::embedded {
namespace {

constexpr std::size_t changed_at_once = 10'000;  // comments; bounds the memory for them

}  // namespace

Result<Imported> Edit::import_rows(const std::vector<ImportRow>& rows, const ImportTerms& terms) {
  // Pointers are sorted, for a comment is costly to move.
  std::vector<const ImportRow*> sorted, others;
  sorted.reserve(rows.size());
  for (const auto& row : rows) sorted.push_back(&row);
  std::stable_sort(sorted.begin(), sorted.end(), [](const ImportRow* a, const ImportRow* b) {
    return a->comment.id < b->comment.id;
  });
  SortedComments fresh;
  fresh.reserve(rows.size());
  lmdb::Cursor ids(txn_.get(), db_.ids);
  std::optional<Ulid> last;
  for (const auto* row : sorted) {
    const auto& id = row->comment.id;
    bool repeats = std::exchange(last, id) == id;
    bool removed = is_removed(id);
    bool passed = repeats || (removed && !terms.again);
    if (passed || ids.seek(id.view(), MDB_SET) || is_held(id)) {
      others.push_back(row);
      continue;
    }
    if (removed) txn_.remove(db_.removed, id.view());
    fresh.push_back(&row->comment);
  }
  Imported imported;
  imported.added = fresh.size();
  for (const auto* comment : fresh)
    events_.add(event_of(comment->moderation.status), *comment, true, true);
  insert(std::move(fresh));
  std::size_t changed = 0;
  for (const auto* row : others) {
    changed += meet(*row, terms, imported);
    if (changed < changed_at_once) continue;
    write_products();
    changed = 0;
  }
  return imported;
}

// A damaged comment is there: a repair decides about it.
bool Edit::meet(const ImportRow& row, const ImportTerms& terms, Imported& imported) {
  const auto& id = row.comment.id;
  auto found = find(id);
  if (!found && found.error().code == ErrorCode::damaged) {
    imported.count(&Imported::known, id);
    return false;
  }
  bool voted = txn_.entries(db_.votes) > 0 && txn_.find(db_.votes.dbi, id.view());
  auto [as, write, forgets] =
      verdict(row, terms, {found ? &found->comment : nullptr, is_removed(id), voted});
  imported.count(as, id);
  if (forgets) txn_.remove(db_.removed, id.view());
  if (!write) return false;
  events_.add(event_between(found->comment, *write), *write, false, true);
  rewrite(*found, std::move(*write));
  return true;
}

bool Edit::is_removed(const Ulid& id) const {
  return txn_.entries(db_.removed) > 0 && txn_.find(db_.removed.dbi, id.view());
}

// Of a comment that is removed or emptied, nothing but its id stays.
void Edit::keep_id(const Comment& comment) {
  if (is_sourced(comment)) txn_.put(db_.removed, comment.id.view(), {});
}

Status Edit::keep_removed(const std::vector<Ulid>& ids) {
  for (const auto& id : ids) txn_.put(db_.removed, id.view(), {});
  return Done{};
}

}  // namespace quire::embedded
