#include "store/embedded/upkeep/verify_events.h"

#include <optional>
#include <string_view>

#include "lmdb/environment.h"
#include "store/embedded/event_log.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {
namespace {

std::optional<std::string_view> value_at(const lmdb::Sealed& database, const lmdb::Cursor& cursor) {
  return lmdb::unsealed(database.seed, cursor.key(), cursor.value());
}

}  // namespace

void verify_events(const Tables& tables, const lmdb::Transaction& txn,
                   const std::function<void(std::string)>& report) {
  for (const auto& entry : lmdb::Entries(txn, tables.events)) {
    try {
      decode_event(entry.key(), value_at(tables.events, entry).value_or(""));
    } catch (const lmdb::Damaged&) {
      report("an event of the log is damaged");
    }
  }
  auto check = [&](std::string_view row, const char* sentence) {
    auto bytes = txn.find(tables.meta.dbi, row);
    if (bytes && !lmdb::unsealed(tables.meta.seed, row, *bytes)) report(sentence);
  };
  check("last_mark", "the last mark of the log of events is damaged");
  check(followed_row, "how far the log of events follows a table is damaged");
  for (const auto& entry : lmdb::Entries(txn, tables.revisions)) {
    auto row = value_at(tables.revisions, entry);
    if (!row || !decode_revisions(*row) || entry.key().size() != Key<4>::size)
      report("the times at which comments were changed are damaged");
  }
}

}  // namespace quire::embedded
