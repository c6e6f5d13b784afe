// LMDB as objects with lifetimes: environment, transactions, cursors. Failures throw lmdb::Failure.
#pragma once

#include <lmdb.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/backend.h"
#include "lmdb/cursor.h"
#include "lmdb/faults.h"
#include "lmdb/guard.h"
#include "lmdb/lock_file.h"
#include "lmdb/sealed.h"
#include "lmdb/state.h"

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

class DataFile;
class Environment;

// LMDB's transaction, and what it sees.
struct ReaderSlot {
  MDB_txn* txn;
  State state;
};

// Sees one consistent state of all databases. Beginning is cheap, because the environment keeps
// ended transactions and renews them.
class ReadTransaction : public Transaction {
 public:
  explicit ReadTransaction(Environment& environment);
  ~ReadTransaction();
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

  // A value of a database that need not be opened. Absent: there is no such database or key.
  std::optional<std::string_view> find_in(std::string_view database, std::string_view key) const;
  // Lets the handles of databases that were opened in it live on. Call it last.
  void keep_handles();

 private:
  Environment& environment_;
  std::unique_ptr<ReaderSlot> reader_;
};

// Holds the single writer lock of LMDB. Its destructor discards all writes unless commit() was
// called.
class WriteTransaction : public Transaction {
 public:
  explicit WriteTransaction(Environment& environment);
  // Writes within a transaction that the caller commits or discards.
  explicit WriteTransaction(MDB_txn* of_caller) { txn_ = of_caller; }
  ~WriteTransaction();
  WriteTransaction(const WriteTransaction&) = delete;
  WriteTransaction& operator=(const WriteTransaction&) = delete;

  void put(MDB_dbi dbi, std::string_view key, std::string_view value);
  void put(const Sealed& database, std::string_view key, std::string_view value);
  bool remove(MDB_dbi dbi, std::string_view key);  // whether the key was there
  void clear(MDB_dbi dbi);
  MDB_dbi open(const char* name, unsigned flags = 0);  // makes a missing database
  void commit();                                       // all writes are on disk when it returns

 private:
  Environment* environment_ = nullptr;  // null: the transaction is the caller's
};

// Read transactions of all processes at once: more than a server has connections by default.
inline constexpr unsigned max_readers = 16 * 1024;

struct Options {
  std::string directory;  // must exist
  bool read_only = false;
  unsigned databases = 32;
  // Address space, not memory or disk; halved until the system grants it, with an eighth for the
  // rest of the program. A store ends there.
  std::size_t map_bytes = std::size_t{4} << 40;
  // How long the first commit of a new file, and commits one after another, may delay the opening.
  std::chrono::milliseconds max_settling{10'000};
  // The sentence to print when reading the files faults, which ends the program: see faults.h.
  std::string at_fault = {};
  // Is called for each damaged page that is met, with its name: "page 84".
  std::function<void(std::string_view)> met_damage = {};
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

  // The number of the newest commit, of any process. A reader that begins later sees it. Absent:
  // the environment must be reopened.
  std::optional<std::uint64_t> newest_commit();

  // Tells the environment of `env` to reopen a database, with the same handle, whenever it reopens
  // itself. open_database() calls it.
  static void remember(MDB_env* env, const char* name, MDB_dbi dbi);

 private:
  friend class ReadTransaction;
  friend class WriteTransaction;
  void open();
  void check_roots(const std::string& path);
  bool check_newest_state(const DataFile& file);
  std::uint64_t number_in_table();
  void close();
  void reopen();  // with the mutex held and no transaction alive
  void open_databases();
  std::unique_ptr<ReaderSlot> begin_reading();
  void end_reading(std::unique_ptr<ReaderSlot> reader);
  MDB_txn* begin_writing();
  void free_slots_of_the_dead();
  void end_writing(MDB_txn* txn);  // null: already committed
  bool find_map(MDB_txn* txn, std::uint64_t state);
  std::unique_ptr<ReaderSlot> renew();
  MDB_txn* begin(const char* what, unsigned flags);
  void enter();
  void leave(bool failed = false);

  const Options options_;
  const LockFile lock_file_;  // outlives env_
  const int process_;         // the number by which LMDB knows this process here
  MDB_env* env_ = nullptr;    // changes only with the mutex held and no transaction alive
  WatchedMaps maps_;
  std::recursive_mutex mutex_;  // recursive, because reopening reads
  // Guarded by mutex_; bounded, because each keeps a reader's slot.
  std::vector<std::unique_ptr<ReaderSlot>> idle_;
  std::uint64_t writes_ = 0;  // guarded by LMDB's writer lock
  std::size_t inside_ = 0;    // guarded by mutex_: transactions alive or beginning
  bool failed_ = false;       // guarded by mutex_: the environment must be reopened
  // Never grows. An entry is written before its handle is used; otherwise guarded by mutex_.
  Names names_;
  Map map_;
  Guard guard_{map_, names_};  // guarded by LMDB's writer lock
};

}  // namespace quire::lmdb
