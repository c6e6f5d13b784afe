#include "store/lmdb/databases.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "store/lmdb/durable.h"
#include "store/lmdb/format.h"

namespace quire::embedded {
namespace {

namespace fs = std::filesystem;

Error unavailable(std::string message) {
  return {ErrorCode::unavailable, std::move(message)};
}

std::optional<Error> prepare(const std::string& directory, Access access) {
  std::error_code failed;
  if (access == Access::write) {
    std::vector<fs::path> made;
    if (int code = make_directories(fs::path(directory).lexically_normal(), made))
      return unavailable(fmt::format("Cannot make {}: {}.", directory, std::strerror(code)));
  } else if (!fs::exists(directory + "/data.mdb", failed)) {
    return unavailable(
        fmt::format("There is no store in {}. Fill one with quire import or quire generate, or "
                    "name another with "
                    "--store lmdb:DIR.",
                    directory));
  }
  return {};
}

struct Name {
  const char* name;
  MDB_dbi Databases::*dbi;
};
constexpr Name names[] = {
    {"meta", &Databases::meta},
    {"products", &Databases::products},
    {"comments", &Databases::comments},
    {"ids", &Databases::ids},
    {"lists", &Databases::lists},
    {"leaders", &Databases::leaders},
    {"damaged", &Databases::damaged},
    {"once", &Databases::once},
    {"once_by_time", &Databases::once_by_time},
};

std::string format_row() {
  std::string row(format_magic);
  row.resize(row.size() + 4);
  put_u32(&row[format_magic.size()], format_version);
  return row;
}

std::optional<Error> check_format(const std::string& directory, std::string_view row) {
  if (row == format_row()) return {};
  if (row.size() != format_magic.size() + 4 || !row.starts_with(format_magic)) {
    return unavailable(directory + " is not a Quire store. Name another directory.");
  }
  return unavailable(fmt::format(
      "The store in {} has format {}, this program reads and writes format {}. Use the version of "
      "quire that made it; its export can be imported here.",
      directory, get_u32(row.data() + format_magic.size()), format_version));
}

void create(Databases& databases) {
  lmdb::WriteTransaction txn(*databases.environment);
  for (const auto& [name, dbi] : names) databases.*dbi = txn.open(name);
  txn.put(databases.meta, "format", format_row());
  std::string next(4, '\0');
  txn.put(databases.meta, "next_block", next);
  txn.commit();
}

// Made aside, and named when it is on disk: a data.mdb is never half a store.
void make_store(const fs::path& directory) {
  fs::path aside = directory / "new-store";
  std::error_code failed;
  fs::remove_all(aside, failed);  // what a killed process left; the writer's lock is held
  if (fs::create_directory(aside, failed); failed)
    throw lmdb::Failure("making " + aside.string(), failed.value());
  {
    Databases databases;
    databases.environment =
        std::make_unique<lmdb::Environment>(lmdb::Options{.directory = aside.string()});
    create(databases);
  }
  lmdb::check("making a store", rename_durably(aside / "data.mdb", directory / "data.mdb"));
  fs::remove_all(aside, failed);
}

std::optional<Error> open_existing(const std::string& directory, Databases& databases) {
  MDB_txn* txn = nullptr;
  lmdb::check("beginning to read",
              mdb_txn_begin(databases.environment->get(), nullptr, MDB_RDONLY, &txn));
  auto end = std::unique_ptr<MDB_txn, decltype(&mdb_txn_commit)>(txn, mdb_txn_commit);
  if (mdb_dbi_open(txn, "meta", 0, &databases.meta) != MDB_SUCCESS) {
    return unavailable(directory + " is not a Quire store. Name another directory.");
  }
  MDB_val key = lmdb::val("format"), row{};
  if (mdb_get(txn, databases.meta, &key, &row) != MDB_SUCCESS) row = {};
  if (auto error = check_format(directory, lmdb::view(row))) return error;
  for (const auto& [name, dbi] : names) {
    databases.*dbi = lmdb::open_database(txn, name, 0);
  }
  return {};
}

}  // namespace

Result<WriterLock> WriterLock::take(const std::string& directory) {
  auto path = directory + "/writer.lock";
  int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) {
    return unavailable(fmt::format("Cannot write in {}: {}.", directory, std::strerror(errno)));
  }
  WriterLock lock(file);
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    char holder[32] = {};
    auto size = pread(file, holder, sizeof holder - 1, 0);
    return unavailable(fmt::format(
        "The store in {} is being written by another process{}. Stop it, or write through its HTTP "
        "interface.",
        directory, size > 0 ? fmt::format(" ({})", holder) : ""));
  }
  auto pid = std::to_string(getpid());
  if (ftruncate(file, 0) != 0 || pwrite(file, pid.data(), pid.size(), 0) < 0) {
    // Only the hint who writes is lost; a full disk shows at the first commit.
  }
  return lock;
}

WriterLock::~WriterLock() {
  if (file_ >= 0) close(file_);
}

Error explain(const lmdb::Failure& failure) {
  // LMDB reports a write that was cut short, as the last one on a full disk is, as EIO.
  if (failure.code() == ENOSPC || failure.code() == EDQUOT || failure.code() == EFBIG ||
      failure.code() == EIO) {
    return unavailable(
        fmt::format("The disk of the store is full, or fails ({}). Nothing was changed; make room "
                    "and try again.",
                    std::strerror(failure.code())));
  }
  if (failure.code() == MDB_MAP_FULL) {
    return unavailable(
        "The store has reached the address space it was opened with. Nothing was changed.");
  }
  if (failure.code() == MDB_PANIC) {
    return unavailable(
        "A write to the disk of the store failed, and the store is being opened anew. Nothing was "
        "changed; try again.");
  }
  return unavailable(fmt::format("The store failed: {}. Nothing was changed.", failure.what()));
}

Result<std::unique_ptr<Databases>> open_databases(const std::string& directory, Access access) try {
  if (auto error = prepare(directory, access)) return std::move(*error);
  auto databases = std::make_unique<Databases>();
  if (access == Access::write) {
    auto lock = WriterLock::take(directory);
    if (!lock) return lock.error();
    databases->lock.emplace(std::move(*lock));
    if (std::error_code failed; !fs::exists(directory + "/data.mdb", failed)) make_store(directory);
  }
  databases->environment = std::make_unique<lmdb::Environment>(
      lmdb::Options{.directory = directory, .read_only = access == Access::read});
  if (auto error = open_existing(directory, *databases)) return std::move(*error);
  return databases;
} catch (const lmdb::Failure& failure) {
  if (failure.code() == MDB_INVALID || failure.code() == MDB_VERSION_MISMATCH) {
    return unavailable(directory + "/data.mdb is not a Quire store. Name another directory.");
  }
  return explain(failure);
}

}  // namespace quire::embedded
