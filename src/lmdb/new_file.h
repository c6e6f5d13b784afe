// A data file written beside the one in use: what makes, upgrades, compacts and copies a store.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "lmdb/environment.h"

namespace quire::lmdb {

// How far something long has come: `part` of 1, and so many entries.
using Progress = std::function<void(double part, std::uint64_t entries)>;

// Takes its memory and the disk's in small pieces. Throws Failure. Killed, it leaves `path`, which
// the next one at the same path takes away.
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();  // takes the file away, unless it was kept
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  Sealed open_sealed(const char* name);
  MDB_dbi open(const char* name);
  // Keys of a database in ascending order.
  void append(MDB_dbi database, std::string_view key, std::string_view value);
  void append(const Sealed& database, std::string_view key, std::string_view value);
  // Keys in any order.
  void put(MDB_dbi database, std::string_view key, std::string_view value);
  void put(const Sealed& database, std::string_view key, std::string_view value);

  // On disk when it returns. The file stays only with keep().
  void finish();
  void keep() { kept_ = true; }
  const std::string& path() const { return path_; }

 private:
  void write(MDB_dbi database, std::string_view key, std::string_view value, unsigned flags);

  std::string path_;
  MDB_env* env_ = nullptr;
  MDB_txn* txn_ = nullptr;
  std::size_t bytes_ = 0;  // since the last commit
  bool kept_ = false;
};

// Every entry of a database as a transaction sees it, as it is.
class Copying {
 public:
  // `total`: entries of all that is to be copied.
  Copying(MDB_txn* from, std::uint64_t total, const Progress& progress)
      : from_(from), total_(total), progress_(progress) {}

  // Calls `each` with key and value.
  template <class Each>
  void walk(MDB_dbi database, Each each) {
    Cursor cursor(from_, database);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      each(cursor.key(), cursor.value());
      if (++entries_ % 1024 == 0 && progress_)
        progress_(static_cast<double>(entries_) / static_cast<double>(total_), entries_);
    }
  }
  void copy(MDB_dbi database, const char* name, NewFile& to);

 private:
  MDB_txn* from_;
  std::uint64_t total_, entries_ = 0;
  const Progress& progress_;
};

// How many bytes the pages of a state in use take: about as many as its copy.
std::uint64_t used_bytes(MDB_txn* txn);
// Throws Failure (ENOSPC) if the disk of `directory` has not as many bytes left; says how many.
void need_room(const std::string& directory, std::uint64_t bytes);

}  // namespace quire::lmdb
