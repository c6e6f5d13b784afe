// LMDB with lifetimes: an environment, transactions, cursors. Failures throw lmdb::Failure.
#pragma once

#include <lmdb.h>

#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lmdb/faults.h"
#include "lmdb/lock_file.h"
#include "lmdb/sealed.h"

namespace quire::lmdb {

// LMDB or the machine under it failed: full, damaged, unreadable. `code` is LMDB's or errno's.
class Failure : public std::runtime_error {
 public:
  Failure(std::string_view what, int code);
  int code() const { return code_; }

 private:
  int code_;
};

void check(std::string_view what, int code);

// `flags`: MDB_CREATE makes it if need be.
MDB_dbi open_database(MDB_txn* txn, const char* name, unsigned flags);
Sealed open_sealed(MDB_txn* txn, const char* name, unsigned flags);

inline MDB_val val(std::string_view bytes) {
  return {bytes.size(), const_cast<char*>(bytes.data())};
}
inline std::string_view view(const MDB_val& value) {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

// The value under a key; nothing: it is not there. Of a sealed database without its seal; throws
// Damaged.
std::optional<std::string_view> find(MDB_txn* txn, MDB_dbi dbi, std::string_view key);
std::optional<std::string_view> find(MDB_txn* txn, const Sealed& database, std::string_view key);

class Environment;

// A consistent sight of everything. Ended transactions are kept by the environment and renewed:
// beginning is cheap.
class ReadTransaction {
 public:
  explicit ReadTransaction(Environment& environment);
  ~ReadTransaction();
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

  MDB_txn* get() const { return txn_; }
  std::uint64_t number() const { return mdb_txn_id(txn_); }  // of the state it sees
  std::optional<std::string_view> find(MDB_dbi dbi, std::string_view key) const;
  std::optional<std::string_view> find(const Sealed& database, std::string_view key) const;

 private:
  Environment& environment_;
  MDB_txn* txn_;
};

// Takes LMDB's one writer lock. Without commit() nothing happened.
class WriteTransaction {
 public:
  explicit WriteTransaction(Environment& environment);
  ~WriteTransaction();
  WriteTransaction(const WriteTransaction&) = delete;
  WriteTransaction& operator=(const WriteTransaction&) = delete;

  MDB_txn* get() const { return txn_; }
  std::optional<std::string_view> find(MDB_dbi dbi, std::string_view key) const;
  std::optional<std::string_view> find(const Sealed& database, std::string_view key) const;
  void put(MDB_dbi dbi, std::string_view key, std::string_view value);
  void put(const Sealed& database, std::string_view key, std::string_view value);
  bool remove(MDB_dbi dbi, std::string_view key);  // whether it was there
  void clear(MDB_dbi dbi);
  MDB_dbi open(const char* name);  // makes it if need be
  void commit();                   // on disk when it returns

 private:
  MDB_txn* txn_ = nullptr;
};

class Cursor {
 public:
  Cursor(MDB_txn* txn, MDB_dbi dbi);
  ~Cursor();
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  // Moves; whether there is an entry. key() and value() live until the transaction's next write or
  // end.
  bool seek(std::string_view key, MDB_cursor_op op);  // MDB_SET_KEY, MDB_SET_RANGE
  bool move(MDB_cursor_op op);                        // MDB_FIRST, MDB_LAST, MDB_NEXT, MDB_PREV
  std::string_view key() const { return view(key_); }
  std::string_view value() const { return view(value_); }
  void put(std::string_view key, std::string_view value, unsigned flags);
  void put(const Sealed& database, std::string_view key, std::string_view value, unsigned flags);

 private:
  MDB_cursor* cursor_ = nullptr;
  MDB_val key_{};
  MDB_val value_{};
};

inline constexpr unsigned max_readers = 1024;

struct Options {
  std::string directory;  // must exist
  bool read_only = false;
  unsigned databases = 16;
  std::size_t map_bytes = std::size_t{1}
                          << 40;  // address space, not memory or disk; halved until it fits
  // Said when the files turn out to be damaged while they are read, and the program ends there.
  std::string at_fault = {};
};

// An environment in one file without a lock file, for a single process; not durable before it is
// synced.
MDB_env* open_new(const std::string& file);

// Thread-safe. Transactions must end before it does. A process must not have one directory open
// twice. Opening throws Failure, or Damaged where the file cannot be what was written.
class Environment {
 public:
  explicit Environment(const Options& options);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  MDB_env* get() const { return env_; }
  bool read_only() const { return read_only_; }

 private:
  friend class ReadTransaction;
  void open(const Options& options);
  void check_roots(const std::string& path);
  void close();
  MDB_txn* begin_reading();
  void end_reading(MDB_txn* txn);

  std::optional<LockFile> lock_file_;  // outlives env_
  MDB_env* env_ = nullptr;
  WatchedMaps maps_;
  bool read_only_;
  std::mutex mutex_;
  std::vector<MDB_txn*> idle_;  // guarded by mutex_; at most as many as ever read at once
};

}  // namespace quire::lmdb
