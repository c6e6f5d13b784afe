#include "lmdb/cursor.h"

#include <fmt/format.h>

#include <string>

#include "lmdb/environment.h"
#include "lmdb/guard.h"
#include "lmdb/numbers.h"
#include "lmdb/tree_cursor.h"

namespace quire::lmdb {
namespace {

// No value is behind it.
std::string_view behind_all() {
  static const std::string bytes(max_key + 1, '\xFF');
  return bytes;
}

}  // namespace

struct Cursor::Reading {
  TreeCursor entries;
  TreeCursor values;  // of the present key, if it has several
  bool several;
  std::string_view value = {};
  std::uint64_t unread = 0;  // entries whose values cannot be read, and were passed over

  Reading(const TreeCursor& all, bool has_several) : entries(all), several(has_several) {}
  bool seek(std::string_view key, std::string_view at, MDB_cursor_op op);
  bool move(MDB_cursor_op op);

 private:
  bool move_plain(MDB_cursor_op op);
  bool seek_value(std::string_view at, bool range);
  bool arrive(bool there, int direction);
  bool take(int direction);
};

// What LMDB's cursor points to moves with each write, so the place is kept here, too.
struct Cursor::Writing {
  MDB_cursor* cursor = nullptr;
  Guard* guard = nullptr;  // null: the file is new
  MDB_dbi database = 0;
  bool several = false;
  std::string key = {}, value = {};

  ~Writing() { mdb_cursor_close(cursor); }
  void check(MDB_cursor_op op);
  void check_put(std::string_view at_key, std::string_view at_value, unsigned flags);
  void take(std::string_view at_key, std::string_view at_value, bool page);
};

bool Cursor::Reading::seek(std::string_view key, std::string_view at, MDB_cursor_op op) {
  if (several) values = {};
  if (op == MDB_SET_RANGE) return arrive(entries.seek(key), 1);
  bool there = entries.find(key);
  if (op == MDB_SET || op == MDB_SET_KEY) return there && take(1);
  return there && seek_value(at, op == MDB_GET_BOTH_RANGE);
}

bool Cursor::Reading::seek_value(std::string_view at, bool range) {
  values = entries.values();
  if (!values.is_empty()) {
    if (!(range ? values.seek(at) : values.find(at))) return false;
    value = values.key();
    return true;
  }
  value = entries.value();
  int difference = order(at, value);
  return difference == 0 || (range && difference < 0);
}

// Most moves are of this kind.
inline bool Cursor::Reading::move_plain(MDB_cursor_op op) {
  bool there = op == MDB_NEXT    ? entries.next()
               : op == MDB_PREV  ? entries.previous()
               : op == MDB_FIRST ? entries.first()
                                 : op == MDB_LAST && entries.last();
  if (there) value = entries.value();
  return there;
}

bool Cursor::Reading::move(MDB_cursor_op op) {
  if (!several && !entries.passes_damage()) return move_plain(op);
  bool here = values.there(), whole_page = false;
  switch (op) {
    case MDB_FIRST:
      return arrive(entries.first(), 1);
    case MDB_LAST:
      return arrive(entries.last(), -1);
    case MDB_NEXT:
      if (!here || !values.next()) return arrive(entries.next(), 1);
      break;
    case MDB_PREV:
      if (!here || !values.previous()) return arrive(entries.previous(), -1);
      break;
    case MDB_GET_MULTIPLE:
      if (!here) return true;
      whole_page = true;
      break;
    case MDB_NEXT_MULTIPLE:
      if (!here || !values.next()) return false;
      whole_page = true;
      break;
    default:
      throw Failure("reading", MDB_INCOMPATIBLE);
  }
  value = whole_page ? values.page_of_values() : values.key();
  return true;
}

// Takes the entry at which the cursor is, or the next one that can be read if damage is passed
// over.
bool Cursor::Reading::arrive(bool there, int direction) {
  if (!entries.passes_damage()) return there && take(direction);
  for (; there; there = direction > 0 ? entries.next() : entries.previous()) {
    try {
      if (take(direction)) return true;
    } catch (const Damaged&) {
      ++unread;  // the next one may be whole
    }
  }
  return false;
}

// Takes the value, or the first or last of several. False: none of them can be read.
bool Cursor::Reading::take(int direction) {
  if (several) values = entries.values();
  if (values.is_empty()) {
    value = entries.value();
    return true;
  }
  if (entries.passes_damage()) values.pass_damage();
  if (!(direction > 0 ? values.first() : values.last())) return false;
  value = values.key();
  return true;
}

// Checks what LMDB will read.
void Cursor::Writing::check(MDB_cursor_op op) {
  if (!guard) return;
  if (op == MDB_FIRST)
    guard->first(database);
  else if (op == MDB_LAST)
    guard->last(database);
  else if (op == MDB_LAST_DUP)
    guard->at(database, key, behind_all());
  else if (op != MDB_GET_MULTIPLE)
    guard->around(database, key, value);
}

void Cursor::Writing::check_put(std::string_view at_key, std::string_view at_value,
                                unsigned flags) {
  if (!guard) return;
  if (flags & MDB_APPEND) guard->last(database);
  guard->at(database, at_key, flags & MDB_APPENDDUP ? behind_all() : at_value);
}

// `page`: the value is all values of a page.
void Cursor::Writing::take(std::string_view at_key, std::string_view at_value, bool page) {
  key = at_key;
  if (several) value = page ? at_value.substr(at_value.size() - value.size()) : at_value;
}

Cursor::Cursor(const Transaction& txn, MDB_dbi dbi) {
  if (txn.state_) {
    const Tree& tree = txn.state_->tree(dbi);
    bool several = tree.flags & tree_several;
    auto kind = dbi == list_of_free_pages  ? TreeKind::free
                : dbi == list_of_databases ? TreeKind::main
                : several                  ? TreeKind::several
                                           : TreeKind::data;
    reading_ = std::make_unique<Reading>(TreeCursor(*txn.state_, tree, kind), several);
    return;
  }
  unsigned flags = 0;
  check("opening a cursor", mdb_dbi_flags(txn, dbi, &flags));
  writing_.reset(new Writing{.guard = txn.guard_, .database = dbi});
  writing_->several = flags & MDB_DUPSORT;
  check("opening a cursor", mdb_cursor_open(txn, dbi, &writing_->cursor));
}

Cursor::~Cursor() = default;
Cursor::Cursor(Cursor&& other) noexcept = default;
Cursor& Cursor::operator=(Cursor&& other) noexcept = default;

void Cursor::pass_damage() {
  reading_->entries.pass_damage();
}

std::uint64_t Cursor::passed() const {
  return reading_->entries.passed() + reading_->unread;
}

bool Cursor::seek(std::string_view key, MDB_cursor_op op) {
  return seek(key, {}, op);
}

bool Cursor::seek(std::string_view key, std::string_view value, MDB_cursor_op op) {
  key_ = value_ = {};
  if (reading_) return reading_->seek(key, value, op) && show();
  bool range = op == MDB_SET_RANGE || op == MDB_GET_BOTH_RANGE;
  auto* guard = writing_->guard;
  if (guard && range) guard->around(writing_->database, key, value);
  if (guard && !range) guard->at(writing_->database, key, value);
  return get(val(key), val(value), op);
}

bool Cursor::move(MDB_cursor_op op) {
  if (reading_) return reading_->move(op) && show();
  writing_->check(op);
  return get(val(key_), val(value_), op);
}

bool Cursor::after(std::string_view key) {
  bool there = key.empty() ? move(MDB_FIRST) : seek(key, MDB_SET_RANGE);
  return there && (key_ != key || move(MDB_NEXT));
}

bool Cursor::show() {
  key_ = reading_->entries.key();
  value_ = reading_->value;
  return true;
}

// Lets LMDB's cursor move.
bool Cursor::get(MDB_val key, MDB_val value, MDB_cursor_op op) {
  const void* given = key.mv_data;
  int code = mdb_cursor_get(writing_->cursor, &key, &value, op);
  if (code == MDB_NOTFOUND) return false;
  lmdb::check("reading", code);
  key_ = view(key);
  value_ = view(value);
  writing_->take(key_, value_, op == MDB_GET_MULTIPLE || op == MDB_NEXT_MULTIPLE);
  // Where LMDB leaves the caller's key, that may live no longer than this call.
  if (key.mv_data == given) key_ = writing_->key;
  return true;
}

void Cursor::put(std::string_view key, std::string_view value, unsigned flags) {
  writing_->check_put(key, value, flags);
  MDB_val k = val(key), v = val(value);
  lmdb::check("writing", mdb_cursor_put(writing_->cursor, &k, &v, flags));
  writing_->take(key, value, false);
}

void Cursor::put(const Sealed& database, std::string_view key, std::string_view value,
                 unsigned flags) {
  writing_->check_put(key, value, flags);
  MDB_val k = val(key), v{value.size() + seal_size, nullptr};
  lmdb::check("writing", mdb_cursor_put(writing_->cursor, &k, &v, flags | MDB_RESERVE));
  write_sealed(static_cast<char*>(v.mv_data), database.seed, key, value);
  writing_->take(key, value, false);
}

void Cursor::remove() {
  if (writing_->guard) writing_->guard->around(writing_->database, writing_->key, writing_->value);
  lmdb::check("removing", mdb_cursor_del(writing_->cursor, 0));
}

std::vector<std::string> keys_under(const Transaction& txn, MDB_dbi dbi, std::string_view prefix,
                                    std::size_t limit, std::string_view after) {
  std::vector<std::string> keys;
  Cursor cursor(txn, dbi);
  bool from_prefix = after.empty() && !prefix.empty();
  bool there = from_prefix ? cursor.seek(prefix, MDB_SET_RANGE) : cursor.after(after);
  for (; there && keys.size() < limit && cursor.key().starts_with(prefix);
       there = cursor.move(MDB_NEXT))
    keys.emplace_back(cursor.key());
  return keys;
}

void check_missing(const Transaction& txn, const Sealed& database, std::string_view key) {
  Cursor cursor(txn, database);
  auto check_seal = [&](bool there) {
    if (there && !unsealed(database.seed, cursor.key(), cursor.value()))
      throw Damaged(fmt::format("a key of {} is damaged: run quire verify", database.name));
  };
  bool behind = cursor.seek(key, MDB_SET_RANGE);
  check_seal(behind);
  check_seal(cursor.move(behind ? MDB_PREV : MDB_LAST));
}

}  // namespace quire::lmdb
