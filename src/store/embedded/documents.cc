#include "store/embedded/documents.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/document.h"

namespace quire::embedded {
namespace {

// From here on it pays to move the entries behind a run.
constexpr std::size_t long_run = 8;

using Entries = std::vector<std::pair<std::string, std::string>>;

// Tells the page in which a row lies. A page that the transaction has written already lies anywhere
// in memory, and may look like two: then pages are filled less, and nothing else happens.
class Pages {
 public:
  Pages(MDB_txn* txn, MDB_dbi database) {
    MDB_stat stat{};
    lmdb::check("reading", mdb_stat(txn, database, &stat));
    size_ = stat.ms_psize;
  }
  std::uintptr_t of(std::string_view key) const {
    return reinterpret_cast<std::uintptr_t>(key.data()) / size_;
  }

 private:
  std::size_t size_;
};

// Removes the entry at the cursor and those behind it in the same page, and returns them: none, if
// the page begins with this entry.
Entries step_aside(lmdb::WriteTransaction& txn, MDB_dbi database, lmdb::Cursor& cursor) {
  Pages pages(txn.get(), database);
  auto page = pages.of(cursor.key());
  if (!cursor.move(MDB_PREV) || pages.of(cursor.key()) != page) return {};
  Entries aside;
  while (cursor.move(MDB_NEXT) && pages.of(cursor.key()) == page)
    aside.emplace_back(cursor.key(), cursor.value());
  for (const auto& [key, value] : aside) txn.remove(database, key);
  return aside;
}

}  // namespace

// A run is comments between two neighbouring entries: mostly the newest of a product, before the
// first of the next one. LMDB splits a full page in the middle, unless the new entry is the last
// of its page; then it begins a new page. So a run whose page also has the entries behind would
// leave behind itself pages that are half full. While those entries are aside, it fills them.
void put_documents(lmdb::WriteTransaction& txn, const lmdb::Sealed& database,
                   std::span<const Clustered> comments) {
  lmdb::Cursor cursor(txn.get(), database.dbi);
  while (!comments.empty()) {
    auto key_of = [](const Clustered& each) { return comment_key(each.product, each.comment->id); };
    bool last = !cursor.seek(key_of(comments.front()), MDB_SET_RANGE);
    auto end = comments.end();
    if (!last) {
      end = std::partition_point(comments.begin(), end, [&](const Clustered& each) {
        return std::string_view(key_of(each)) < cursor.key();
      });
    }
    if (end == comments.begin())
      throw std::runtime_error("a comment is missing in the ids: run quire verify --repair");
    auto run = comments.first(static_cast<std::size_t>(end - comments.begin()));
    comments = comments.subspan(run.size());
    Entries aside;
    if (!last && run.size() >= long_run) aside = step_aside(txn, database.dbi, cursor);
    for (const auto& each : run)
      cursor.put(database, key_of(each), encode_document(*each.comment), last ? MDB_APPEND : 0);
    for (const auto& [key, value] : aside) cursor.put(key, value, 0);
  }
}

}  // namespace quire::embedded
