// Reads and writes the entries of a database in order.
#pragma once

#include <lmdb.h>

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lmdb/sealed.h"

namespace quire::lmdb {

// In a reading transaction it walks over the pages itself; in a writing one it is LMDB's. Throws
// Failure, and Damaged where it meets a damaged page; seek() may then be called again.
class Cursor {
 public:
  Cursor(const Transaction& txn, MDB_dbi dbi);
  ~Cursor();
  Cursor(Cursor&& other) noexcept;
  Cursor& operator=(Cursor&& other) noexcept;

  // From now on, and only of a reading transaction: damaged pages are passed over.
  void pass_damage();
  // How much damage was passed over: pages, with all that is in them, and entries.
  std::uint64_t passed() const;

  // All move the cursor, and return whether there is an entry. key() and value() live until the
  // next write of the transaction, or its end.
  bool seek(std::string_view key, MDB_cursor_op op);  // MDB_SET_KEY, MDB_SET_RANGE
  bool move(MDB_cursor_op op);                        // MDB_FIRST, MDB_LAST, MDB_NEXT, MDB_PREV
  // To the first entry whose key is behind this one, where each key has one value. Empty: to the
  // first of all.
  bool after(std::string_view key);
  // One of several values under a key: MDB_GET_BOTH, MDB_GET_BOTH_RANGE. move() knows MDB_LAST_DUP,
  // and MDB_GET_MULTIPLE and MDB_NEXT_MULTIPLE, which make value() all values of a page, from its
  // beginning. A value that is alone under its key is left by MDB_GET_MULTIPLE as it was read.
  bool seek(std::string_view key, std::string_view value, MDB_cursor_op op);
  std::string_view key() const { return key_; }
  std::string_view value() const { return value_; }
  void put(std::string_view key, std::string_view value, unsigned flags);
  void put(const Sealed& database, std::string_view key, std::string_view value, unsigned flags);
  // Removes the entry at which the cursor is. MDB_NEXT then moves to the one behind it.
  void remove();

 private:
  struct Reading;
  struct Writing;
  bool show();
  bool get(MDB_val key, MDB_val value, MDB_cursor_op op);

  std::unique_ptr<Reading> reading_;
  std::unique_ptr<Writing> writing_;
  std::string_view key_, value_;
};

// All entries of a database in order, for a range-based for: each is the cursor that stands on it.
class Entries {
 public:
  Entries(const Transaction& txn, MDB_dbi dbi) : cursor_(txn, dbi) {}

  class Iterator {
   public:
    explicit Iterator(Cursor& cursor) : cursor_(cursor), there_(cursor.move(MDB_FIRST)) {}
    const Cursor& operator*() const { return cursor_; }
    void operator++() { there_ = cursor_.move(MDB_NEXT); }
    bool operator==(std::default_sentinel_t) const { return !there_; }

   private:
    Cursor& cursor_;
    bool there_;
  };
  Iterator begin() { return Iterator(cursor_); }
  std::default_sentinel_t end() const { return {}; }

 private:
  Cursor cursor_;
};

// The keys that begin with `prefix`, those behind `after`, at most `limit`.
std::vector<std::string> keys_under(const Transaction& txn, MDB_dbi dbi, std::string_view prefix,
                                    std::size_t limit = SIZE_MAX, std::string_view after = {});

// For a key that find() does not find. Throws Damaged where an entry beside its place does not
// match its seal: a flipped bit in a key makes that key missing, and leaves its entry there.
void check_missing(const Transaction& txn, const Sealed& database, std::string_view key);

}  // namespace quire::lmdb
