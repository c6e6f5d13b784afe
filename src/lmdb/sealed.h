// Values with a seal behind them: a checksum of 32 bits over database, key and value. It detects a
// value that changed on disk, and a value under a wrong key. And transactions, as those see them
// who read in them.
#pragma once

#include <lmdb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/backend.h"

namespace quire::lmdb {

// Stored data is not what was written.
class Damaged : public Unavailable {
 public:
  using Unavailable::Unavailable;
};

// A database whose values are sealed. Its name is part of every checksum.
struct Sealed {
  MDB_dbi dbi = 0;
  std::uint64_t seed = 0;
  std::string_view name = {};

  operator MDB_dbi() const { return dbi; }
};

inline constexpr std::size_t seal_size = 4;

std::uint64_t seal_seed(std::string_view database);
std::uint32_t checksum(std::uint64_t seed, std::string_view key, std::string_view value);

// Writes the seal of `size` bytes behind them, where there must be room.
void write_seal(char* value, std::size_t size, std::uint64_t seed, std::string_view key);
// `out` must have room for the value and its seal.
void write_sealed(char* out, std::uint64_t seed, std::string_view key, std::string_view value);
std::string sealed(std::uint64_t seed, std::string_view key, std::string_view value);
// The value in `bytes` without its seal. Absent: it is damaged.
std::optional<std::string_view> unsealed(std::uint64_t seed, std::string_view key,
                                         std::string_view bytes);

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
  // The number of the state that a reading transaction sees.
  std::uint64_t number() const { return mdb_txn_id(txn_); }

  // The value under a key. Absent: there is no such key. A value of a sealed database comes
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

}  // namespace quire::lmdb
