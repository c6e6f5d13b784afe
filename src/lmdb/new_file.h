// Writes a new data file beside the one in use. Making, compacting and copying a store
// all do this.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "lmdb/environment.h"

namespace quire::lmdb {

// Reports the progress of long work: `part` from 0 to 1, and the number of entries done.
using Progress = std::function<void(double part, std::uint64_t entries)>;

// Commits in small pieces, so that it needs little memory. Throws Failure. A killed process leaves
// the file behind; the next NewFile of the same path removes it.
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();  // removes the file, unless keep() was called
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  Sealed open_sealed(const char* name);
  MDB_dbi open(const char* name, unsigned flags = 0);  // see open_database()
  // Appends an entry: the keys of a database must ascend, and so must the values under one key.
  void append(MDB_dbi database, std::string_view key, std::string_view value);
  void append(const Sealed& database, std::string_view key, std::string_view value);
  // Puts an entry: keys may come in any order.
  void put(MDB_dbi database, std::string_view key, std::string_view value);
  void put(const Sealed& database, std::string_view key, std::string_view value);

  // Lets `work` write about that many bytes, in any order.
  void edit(std::size_t bytes, const std::function<void(WriteTransaction&)>& work);

  // Writes everything to disk and closes the file. The file stays only after keep().
  void finish();
  void keep() { kept_ = true; }
  const std::string& path() const { return path_; }

 private:
  void write(MDB_dbi database, std::string_view key, std::string_view value, unsigned flags);
  void wrote(std::size_t bytes);
  bool continues(MDB_dbi database, std::string_view key);

  std::string path_;
  MDB_env* env_ = nullptr;
  MDB_txn* txn_ = nullptr;
  std::size_t bytes_ = 0;  // since the last commit
  MDB_dbi last_database_ = 0;
  std::string last_key_;  // that was appended to last_database_
  bool kept_ = false;
};

// How many values a key of a database has. A copy is told: the file's own word may be damaged.
enum class ValuesPerKey { one, several };

// Reads every entry of databases as a transaction sees them, and copies entries unchanged.
class Copying {
 public:
  // `total`: the number of entries of all databases that will be read, for `progress`.
  Copying(const Transaction& from, std::uint64_t total, const Progress& progress)
      : from_(from), total_(total), progress_(progress) {}

  // Calls `each` with the key and the value of every entry that can be read: damaged pages are
  // passed over, and entries() tells how many there should be.
  template <class Each>
  void walk(MDB_dbi database, Each each) {
    Cursor cursor(from_, database);
    cursor.pass_damage();
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      each(cursor.key(), cursor.value());
      if (++entries_ % 1024 == 0 && progress_)
        progress_(static_cast<double>(entries_) / static_cast<double>(total_), entries_);
    }
  }
  // Leaves out the keys of `without`. Returns how many entries it copied or left out.
  std::uint64_t copy(MDB_dbi database, const char* name, NewFile& to, ValuesPerKey values,
                     const std::set<std::string, std::less<>>& without = {});

 private:
  const Transaction& from_;
  std::uint64_t total_, entries_ = 0;
  const Progress& progress_;
};

// The bytes of all pages in use, which is about the size of a copy.
std::uint64_t used_bytes(const Transaction& txn);
// Throws Failure (ENOSPC) if the disk of `directory` has fewer bytes left; the message tells how
// many.
void need_room(const std::string& directory, std::uint64_t bytes);

}  // namespace quire::lmdb
