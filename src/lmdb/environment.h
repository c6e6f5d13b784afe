// LMDB as objects with lifetimes: environment, transactions, cursors. Failures throw lmdb::Failure.
#pragma once

#include <lmdb.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/unavailable.h"
#include "lmdb/faults.h"
#include "lmdb/lock_file.h"
#include "lmdb/sealed.h"

namespace quire::lmdb {

// LMDB or the machine failed: full, damaged, unreadable. `code` is a code of LMDB or an errno.
class Failure : public Unavailable {
 public:
  Failure(std::string_view what, int code);
  int code() const { return code_; }

 private:
  int code_;
};

// Throws Failure unless `code` is MDB_SUCCESS.
void check(std::string_view what, int code);

// `flags`: MDB_CREATE makes a missing database; MDB_DUPSORT | MDB_DUPFIXED makes it one that keeps
// several values of one size under a key, sorted. One that is there keeps the kind that it has.
MDB_dbi open_database(MDB_txn* txn, const char* name, unsigned flags);
Sealed open_sealed(MDB_txn* txn, const char* name, unsigned flags);

inline MDB_val val(std::string_view bytes) {
  return {bytes.size(), const_cast<char*>(bytes.data())};
}
inline std::string_view view(const MDB_val& value) {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

// The value under a key. Nothing: there is no such key. A value of a sealed database comes without
// its seal; Damaged is thrown if the seal does not match.
std::optional<std::string_view> find(MDB_txn* txn, MDB_dbi dbi, std::string_view key);
std::optional<std::string_view> find(MDB_txn* txn, const Sealed& database, std::string_view key);

class DataFile;
class Environment;

// Sees one consistent state of all databases. Beginning is cheap, because the environment keeps
// ended transactions and renews them.
class ReadTransaction {
 public:
  explicit ReadTransaction(Environment& environment);
  ~ReadTransaction();
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

  MDB_txn* get() const { return txn_; }
  std::uint64_t number() const { return mdb_txn_id(txn_); }  // of the state that it sees
  std::optional<std::string_view> find(MDB_dbi dbi, std::string_view key) const;
  std::optional<std::string_view> find(const Sealed& database, std::string_view key) const;

 private:
  Environment& environment_;
  MDB_txn* txn_;
};

// Holds the single writer lock of LMDB. Its destructor discards all writes unless commit() was
// called.
class WriteTransaction {
 public:
  explicit WriteTransaction(Environment& environment);
  // Writes within a transaction that the caller commits or discards.
  explicit WriteTransaction(MDB_txn* of_caller) : txn_(of_caller) {}
  ~WriteTransaction();
  WriteTransaction(const WriteTransaction&) = delete;
  WriteTransaction& operator=(const WriteTransaction&) = delete;

  MDB_txn* get() const { return txn_; }
  std::optional<std::string_view> find(MDB_dbi dbi, std::string_view key) const;
  std::optional<std::string_view> find(const Sealed& database, std::string_view key) const;
  void put(MDB_dbi dbi, std::string_view key, std::string_view value);
  void put(const Sealed& database, std::string_view key, std::string_view value);
  bool remove(MDB_dbi dbi, std::string_view key);  // whether the key was there
  void clear(MDB_dbi dbi);
  MDB_dbi open(const char* name, unsigned flags = 0);  // makes a missing database
  void commit();                                       // all writes are on disk when it returns

 private:
  Environment* environment_ = nullptr;  // null: the transaction is the caller's
  MDB_txn* txn_;
};

class Cursor {
 public:
  Cursor(MDB_txn* txn, MDB_dbi dbi);
  ~Cursor();
  Cursor(Cursor&& other) noexcept
      : cursor_(std::exchange(other.cursor_, nullptr)), key_(other.key_), value_(other.value_) {}
  Cursor& operator=(Cursor&& other) noexcept {
    std::swap(cursor_, other.cursor_);
    key_ = other.key_;
    value_ = other.value_;
    return *this;
  }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  // All move the cursor, and return whether there is an entry. key() and value() live until the
  // next write of the transaction, or its end.
  bool seek(std::string_view key, MDB_cursor_op op);  // MDB_SET_KEY, MDB_SET_RANGE
  bool move(MDB_cursor_op op);                        // MDB_FIRST, MDB_LAST, MDB_NEXT, MDB_PREV
  // One of several values under a key: MDB_GET_BOTH, MDB_GET_BOTH_RANGE. move() knows MDB_NEXT_DUP
  // and so on; MDB_GET_MULTIPLE and MDB_NEXT_MULTIPLE make value() all values of a page, from its
  // beginning. A value that is alone under its key is left by MDB_GET_MULTIPLE as it was read.
  bool seek(std::string_view key, std::string_view value, MDB_cursor_op op);
  std::string_view key() const { return view(key_); }
  std::string_view value() const { return view(value_); }
  void put(std::string_view key, std::string_view value, unsigned flags);
  void put(const Sealed& database, std::string_view key, std::string_view value, unsigned flags);
  // Removes the entry at which the cursor is. MDB_NEXT then moves to the one behind it.
  void remove();

 private:
  MDB_cursor* cursor_ = nullptr;
  MDB_val key_{};
  MDB_val value_{};
};

// Read transactions of all processes at once: more than a server has connections by default.
inline constexpr unsigned max_readers = 16 * 1024;

struct Options {
  std::string directory;  // must exist
  bool read_only = false;
  unsigned databases = 16;
  // Address space, not memory or disk; halved until the system grants it, with an eighth for the
  // rest of the program. A store ends there.
  std::size_t map_bytes = std::size_t{4} << 40;
  // How long the first commit of a new file, and commits one after another, may delay the opening.
  std::chrono::milliseconds max_settling{10'000};
  // The sentence to print when reading the files faults, which ends the program: see faults.h.
  std::string at_fault = {};
};

// An environment in one file without a lock file, for a single process. Writes are durable only
// after mdb_env_sync().
MDB_env* open_new(const std::string& file);

// Thread-safe. Transactions must end before the environment does. A process must not open a
// directory twice. The constructor throws Failure, or Damaged where the file is damaged.
//
// After a failed write of a meta page, LMDB refuses every new transaction with MDB_PANIC until the
// environment is reopened. The first transaction that begins after all others have ended reopens
// it; until then, beginning a transaction fails with MDB_PANIC.
class Environment {
 public:
  explicit Environment(const Options& options);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // Valid until a transaction begins, which may reopen the environment.
  MDB_env* get() const { return env_; }
  bool read_only() const { return options_.read_only; }

  // The number of the newest commit, of any process. A reader that begins later sees it. Absent:
  // the environment must be reopened.
  std::optional<std::uint64_t> newest_commit();

  // Tells the environment of `env` to reopen a database, with the same handle, whenever it reopens
  // itself. open_database() calls it.
  static void remember(MDB_env* env, const char* name, MDB_dbi dbi);

 private:
  friend class ReadTransaction;
  friend class WriteTransaction;
  void open();  // in its turn
  void check_roots(const std::string& path);
  bool check_newest_state(const DataFile& file);
  void close();
  void reopen();  // with the mutex held and no transaction alive
  void open_databases();
  MDB_txn* begin_reading();
  void end_reading(MDB_txn* txn);
  MDB_txn* begin_writing();
  void free_slots_of_the_dead();
  void end_writing(MDB_txn* txn);  // null: already committed
  MDB_txn* renew();
  MDB_txn* begin(const char* what, unsigned flags);
  void enter();
  void leave(bool failed = false);

  const Options options_;
  const LockFile lock_file_;  // outlives env_
  MDB_env* env_ = nullptr;    // changes only with the mutex held and no transaction alive
  WatchedMaps maps_;
  std::recursive_mutex mutex_;  // recursive, because reopening reads
  std::vector<MDB_txn*> idle_;  // guarded by mutex_; bounded, because each keeps a reader's slot
  std::uint64_t writes_ = 0;    // guarded by LMDB's writer lock
  std::size_t inside_ = 0;      // guarded by mutex_: transactions alive or beginning
  bool failed_ = false;         // guarded by mutex_: the environment must be reopened
  std::vector<std::pair<std::string, MDB_dbi>>
      databases_;  // guarded by mutex_; in the order of opening
};

}  // namespace quire::lmdb
