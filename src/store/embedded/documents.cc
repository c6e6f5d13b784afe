#include "store/embedded/documents.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "model/document.h"
#include "store/embedded/edit.h"

namespace quire::embedded {
namespace {

// From here on it pays to move the entries behind a run.
constexpr std::size_t long_run = 8;

struct Clustered {
  ProductNumber product;
  const Comment* comment;
};

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

// `comments` are new, and sorted by product, then id. Throws lmdb::Failure, or std::runtime_error
// where one of them is in the database already; then the caller must abort the transaction.
//
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

}  // namespace

// Pointers are sorted, for a comment is costly to move.
SortedComments sorted_by_id(const std::vector<Comment>& comments) {
  SortedComments sorted;
  sorted.reserve(comments.size());
  for (const auto& comment : comments) sorted.push_back(&comment);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Comment* a, const Comment* b) { return a->id < b->id; });
  return sorted;
}

void Edit::insert(SortedComments fresh) {
  auto held = std::stable_partition(fresh.begin(), fresh.end(),
                                    [](const Comment* comment) { return comment->published(); });
  std::for_each(held, fresh.end(), [&](const Comment* comment) { put(*comment, {}); });
  std::span<const Comment* const> comments(fresh.begin(), held);
  for (const auto* comment : comments)
    if (comment->moderation != Moderation{}) put_decision(*comment);
  add(comments);
  put_customers(fresh);
  std::vector<Clustered> clustered;
  clustered.reserve(comments.size());
  for (const auto* comment : comments)
    clustered.push_back({product(comment->product).second.row.number, comment});
  std::stable_sort(clustered.begin(), clustered.end(),
                   [](const Clustered& a, const Clustered& b) { return a.product < b.product; });
  put_documents(txn_, db_.comments, clustered);
  write_products();  // while the comments live
}

void Edit::add(std::span<const Comment* const> comments) {
  lmdb::Cursor ids(txn_.get(), db_.ids);
  std::string last(ids.move(MDB_LAST) ? ids.key() : "");
  for (const auto* comment : comments) {
    auto& [before, row, index] = product(comment->product).second;
    ++row.count(cell(comment->language, comment->rating));
    index.push_back({comment->id, nullptr, comment});
    // Behind the last key LMDB can append, which also fills pages.
    ids.put(db_.ids, comment->id.view(), number_value(row.number),
            comment->id.view() > last ? MDB_APPEND : 0);
  }
}

std::optional<ProductNumber> find_product(const lmdb::Transaction& txn, const Databases& databases,
                                          const Ulid& id) {
  auto product = txn.find(databases.ids, id.view());
  if (!product) return {};
  if (product->size() != 4) throw lmdb::Damaged("a row of ids is damaged: run quire verify");
  return get_u32(product->data());
}

std::optional<std::string_view> find_document(const lmdb::Transaction& txn,
                                              const Databases& databases, ProductNumber product,
                                              const Ulid& id) {
  auto key = comment_key(product, id);
  try {
    auto bytes = txn.find(databases.comments.dbi, key);
    return bytes ? lmdb::unsealed(databases.comments.seed, key, *bytes) : std::nullopt;
  } catch (const lmdb::Damaged&) {
    return {};
  }
}

std::optional<Comment> find_comment(const lmdb::Transaction& txn, const Databases& databases,
                                    const Ulid& id) {
  if (auto held = find_held(txn, databases, id))
    return *held ? std::optional(std::move(**held)) : std::nullopt;
  auto product = txn.find(databases.ids.dbi, id.view());
  if (!product || product->size() < 4) return {};
  auto document = find_document(txn, databases, get_u32(product->data()), id);
  return document ? decode_document(*document) : std::nullopt;
}

std::uint64_t counted_comments(const Databases& databases, const lmdb::Transaction& txn) {
  return std::min(txn.entries(databases.comments), txn.entries(databases.ids));
}

std::optional<Comment> read_comment(const lmdb::Sealed& comments, const lmdb::Cursor& cursor) {
  if (cursor.key().size() != Key<20>::size) return {};
  auto document = lmdb::unsealed(comments.seed, cursor.key(), cursor.value());
  auto comment = document ? decode_document(*document) : std::nullopt;
  if (comment && comment->id != id_at_end(cursor.key())) return {};
  return comment;
}

Piece read_piece(lmdb::Cursor& cursor, const lmdb::Sealed& comments, std::string_view behind) {
  Piece piece;
  bool there = cursor.after(behind);
  for (; there && piece.comments.size() < Piece::max_comments; there = cursor.move(MDB_NEXT)) {
    if (cursor.key().size() != Key<20>::size) continue;  // quire verify reports it
    auto product = get_u32(cursor.key().data());
    if (piece.last && product != piece.product) break;
    piece.product = product;
    auto id = id_at_end(cursor.key());
    piece.last = comment_key(product, id);
    piece.comments.emplace_back(id, read_comment(comments, cursor));
  }
  return piece;
}

namespace {

constexpr std::size_t changed_at_once = 10'000;  // comments; bounds the memory for them

// The successors of the products of many rows.
class Successors {
 public:
  // Both must outlive this.
  Successors(const Databases& databases, const lmdb::Transaction& txn) : db_(databases), txn_(txn) {
    none_ = lmdb::keys_under(txn, databases.meta, successor_prefix, 1).empty();
  }

  // Null: the product has not moved.
  const std::string* of(const std::string& product) {
    if (none_) return nullptr;
    auto [at, fresh] = known_.try_emplace(product);
    if (fresh) at->second = successor_of(db_, txn_, product);
    return at->second ? &*at->second : nullptr;
  }

 private:
  const Databases& db_;
  const lmdb::Transaction& txn_;
  bool none_;
  std::map<std::string, std::optional<std::string>> known_;
};

}  // namespace

Result<Imported> Edit::import_rows(const std::vector<ImportRow>& rows, const ImportTerms& terms) {
  // Pointers are sorted, for a comment is costly to move.
  std::vector<const ImportRow*> sorted, others;
  sorted.reserve(rows.size());
  std::deque<ImportRow> moved;  // rows of products that have moved, for their successors
  Successors successors(db_, txn_);
  for (const auto& row : rows) {
    const auto* to = successors.of(row.comment.product);
    if (to) moved.emplace_back(row).comment.product = *to;
    sorted.push_back(to ? &moved.back() : &row);
  }
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
  note_revision(found->comment, *write);
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
