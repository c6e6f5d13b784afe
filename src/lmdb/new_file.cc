#include "lmdb/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "lmdb/data_file.h"
#include "lmdb/numbers.h"

namespace quire::lmdb {
namespace {

constexpr std::size_t commit_bytes = 16 << 20;

std::uint64_t mebibytes(std::uint64_t bytes) {
  return (bytes + (1 << 20) - 1) >> 20;
}

}  // namespace

NewFile::NewFile(std::string path) : path_(std::move(path)) {
  unlink(path_.c_str());
  env_ = open_new(path_);
  check("beginning to write", mdb_txn_begin(env_, nullptr, 0, &txn_));
}

NewFile::~NewFile() {
  if (txn_) mdb_txn_abort(txn_);
  if (env_) mdb_env_close(env_);
  if (!kept_) unlink(path_.c_str());
}

MDB_dbi NewFile::open(const char* name, unsigned flags) {
  return open_database(txn_, name, flags | MDB_CREATE);
}

Sealed NewFile::open_sealed(const char* name) {
  return lmdb::open_sealed(txn_, name, MDB_CREATE);
}

// Whether the entry is a further value of the key before.
bool NewFile::continues(MDB_dbi database, std::string_view key) {
  if (last_database_ == database && last_key_ == key) {
    unsigned flags = 0;
    check("writing a new file", mdb_dbi_flags(txn_, database, &flags));
    return flags & MDB_DUPSORT;
  }
  last_database_ = database;
  last_key_ = key;
  return false;
}

void NewFile::append(MDB_dbi database, std::string_view key, std::string_view value) {
  write(database, key, value, continues(database, key) ? MDB_APPENDDUP : MDB_APPEND);
}

void NewFile::append(const Sealed& database, std::string_view key, std::string_view value) {
  write(database, key, sealed(database.seed, key, value), MDB_APPEND);
}

void NewFile::put(MDB_dbi database, std::string_view key, std::string_view value) {
  write(database, key, value, 0);
}

void NewFile::put(const Sealed& database, std::string_view key, std::string_view value) {
  write(database, key, sealed(database.seed, key, value), 0);
}

void NewFile::write(MDB_dbi database, std::string_view key, std::string_view value,
                    unsigned flags) {
  MDB_val k = val(key), v = val(value);
  check("writing a new file", mdb_put(txn_, database, &k, &v, flags));
  wrote(key.size() + value.size());
}

void NewFile::edit(std::size_t bytes, const std::function<void(WriteTransaction&)>& work) {
  {
    WriteTransaction txn(txn_);
    work(txn);
  }
  wrote(bytes);
}

void NewFile::wrote(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ < commit_bytes) return;
  bytes_ = 0;
  check("writing a new file", mdb_txn_commit(std::exchange(txn_, nullptr)));
  check("writing a new file", mdb_txn_begin(env_, nullptr, 0, &txn_));
}

void NewFile::finish() {
  check("writing a new file", mdb_txn_commit(std::exchange(txn_, nullptr)));
  check("writing a new file", mdb_env_sync(env_, 1));
  mdb_env_close(std::exchange(env_, nullptr));
}

std::uint64_t Copying::copy(MDB_dbi database, const char* name, NewFile& to, ValuesPerKey values,
                            const std::set<std::string, std::less<>>& without) {
  bool several = values == ValuesPerKey::several;
  MDB_dbi copy = to.open(name, several ? MDB_DUPSORT | MDB_DUPFIXED : 0);
  std::uint64_t copied = 0;
  std::size_t size = 0;
  walk(database, [&](std::string_view key, std::string_view value) {
    // Several values under a key are of one size; a damaged page may have others.
    if (several) {
      if (size == 0) size = value.size();
      if (value.size() != size || size > max_key) return;
    }
    if (without.empty() || !without.contains(key)) to.append(copy, key, value);
    ++copied;
  });
  return copied;
}

std::uint64_t used_bytes(const Transaction& txn) {
  MDB_envinfo info{};
  MDB_stat stat{};
  check("reading", mdb_env_info(mdb_txn_env(txn), &info));
  check("reading", mdb_env_stat(mdb_txn_env(txn), &stat));
  std::uint64_t free = 0;
  Cursor cursor(txn, list_of_free_pages);
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
    if (cursor.value().size() >= 8) free += load<std::uint64_t>(cursor.value().data());
  }
  std::uint64_t pages = info.me_last_pgno + 1;
  return (pages - std::min(pages, free)) * stat.ms_psize;
}

void need_room(const std::string& directory, std::uint64_t bytes) {
  struct statvfs disk {};
  if (statvfs(directory.c_str(), &disk) != 0) throw Failure("reading " + directory, errno);
  std::uint64_t left = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  if (left >= bytes) return;
  throw Failure(fmt::format("{} MiB are needed beside the store in {}, and {} MiB are left",
                            mebibytes(bytes), directory, mebibytes(left)),
                ENOSPC);
}

}  // namespace quire::lmdb
