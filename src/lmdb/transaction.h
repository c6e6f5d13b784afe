// A transaction as those see it who read in it: the kinds of transactions are in environment.h.
#pragma once

#include <lmdb.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "lmdb/sealed.h"

namespace quire::lmdb {

// The handles of LMDB's own databases.
inline constexpr MDB_dbi list_of_free_pages = 0, list_of_databases = 1;

class Guard;
class State;

// All throw Failure, and Damaged where they meet a damaged page.
class Transaction {
 public:
  // LMDB's own. What LMDB itself does with it must be known to read no damaged page.
  operator MDB_txn*() const { return txn_; }
  const Transaction& get() const { return *this; }
  // Of a reading transaction, the number of the state that it sees.
  std::uint64_t number() const { return mdb_txn_id(txn_); }

  // The value under a key. Nothing: there is no such key. A value of a sealed database comes
  // without its seal; Damaged is thrown if the seal does not match.
  std::optional<std::string_view> find(MDB_dbi dbi, std::string_view key) const;
  std::optional<std::string_view> find(const Sealed& database, std::string_view key) const;
  // The number of entries of a database, as it counts them.
  std::uint64_t entries(MDB_dbi dbi) const;

 protected:
  Transaction() = default;
  ~Transaction() = default;

  MDB_txn* txn_ = nullptr;
  State* state_ = nullptr;  // that a reading transaction sees
  Guard* guard_ = nullptr;  // of a writing one; null: the file is new

 private:
  friend class Cursor;
};

// As the transaction's own functions.
inline std::optional<std::string_view> find(const Transaction& txn, MDB_dbi dbi,
                                            std::string_view key) {
  return txn.find(dbi, key);
}
inline std::optional<std::string_view> find(const Transaction& txn, const Sealed& database,
                                            std::string_view key) {
  return txn.find(database, key);
}

}  // namespace quire::lmdb
