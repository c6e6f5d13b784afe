#include "store/embedded/databases.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>

#include "base/files.h"
#include "base/try.h"
#include "lmdb/data_file.h"
#include "store/embedded/copy.h"

namespace quire::embedded {

namespace {

namespace fs = std::filesystem;

Error unavailable(std::string message) {
  return {ErrorCode::unavailable, std::move(message)};
}

Error cannot_write(const std::string& directory) {
  return refused("write in", directory, errno);
}

// The directories of the stores that this process has open. A process that it forks has none open.
struct Openings {
  std::mutex mutex;
  pid_t process = 0;                              // guarded by mutex
  std::set<std::pair<dev_t, ino_t>> directories;  // guarded by mutex
};

Openings& openings() {
  static Openings all;
  return all;
}

// The process that a hint names, in brackets; empty where it names none.
std::string process_in(const std::string& hint) {
  char holder[32] = {};
  int file = open(hint.c_str(), O_RDONLY | O_CLOEXEC);
  auto size = file < 0 ? 0 : pread(file, holder, sizeof holder - 1, 0);
  if (file >= 0) close(file);
  return size > 0 ? fmt::format(" ({})", holder) : "";
}

constexpr std::int64_t pause_ms = 60'000;

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Error foreign(const std::string& directory) {
  return unavailable(directory + " is not a Quire store. Name another directory.");
}

Status prepare(const std::string& directory, Access access) {
  if (access == Access::write) {
    std::vector<fs::path> made;
    if (int code = make_directories(fs::path(directory).lexically_normal(), made))
      return refused("make", directory, code);
    return Done{};
  }
  return is_there(directory);
}

// The format number of the store.
Result<std::uint32_t> format_of(const Databases& databases) {
  lmdb::ReadTransaction txn(*databases.environment);
  auto row = txn.find_in("meta", "format").value_or("");
  if (row.size() != format_magic.size() + 4 || !row.starts_with(format_magic))
    return foreign(databases.directory);
  return get_u32(row.data() + format_magic.size());
}

Error other_format(const std::string& directory, std::uint32_t format) {
  return unavailable(fmt::format(
      "The store in {} has format {}, this program reads and writes format {}. Use the version of "
      "quire that made it; its export can be imported here.",
      directory, format, format_version));
}

// Whether nothing was ever committed to the file: a process was killed while it made the store.
bool never_committed(const std::string& directory) {
  lmdb::DataFile file(directory + "/data.mdb");
  if (file.size() == 0 || !lmdb::is_lmdb(file)) return false;
  auto empty = [](const lmdb::Meta& meta) {
    return meta.transaction == 0 && meta.last_page <= 1 && meta.main.root == lmdb::no_page;
  };
  auto metas = file.metas();
  return empty(metas[0]) && empty(metas[1]);
}

Status create(const std::string& directory) {
  lmdb::NewFile file(directory + "/data.mdb.new");
  make_tables(file);
  file.finish();
  return replace_store(directory, file);
}

void open_environment(Databases& databases, Access access) {
  const auto& directory = databases.directory;
  lmdb::Options options{.directory = directory, .read_only = access == Access::read};
  options.at_fault = "quire: " + damaged_store(directory, "reading it failed").message;
  options.met_damage = [&damage = databases.damage](std::string_view page) { damage.meet(page); };
  databases.environment = std::make_unique<lmdb::Environment>(options);
}

void read_hash_key(const lmdb::Transaction& txn, Databases& databases) {
  auto bytes = txn.find(databases.meta.dbi, "hash_key");
  auto row = bytes ? lmdb::unsealed(databases.meta.seed, "hash_key", *bytes) : std::nullopt;
  databases.keyless = !row || !decode_hash_key(*row, databases.index);
  if (databases.keyless) databases.index.hash_key = bitmap_index::new_hash_key();
}

void open_all(Databases& databases) {
  lmdb::ReadTransaction txn(*databases.environment);
  static_cast<Tables&>(databases) = open_tables(txn);
  read_hash_key(txn, databases);
  txn.keep_handles();
}

// What a failure to open the store means.
template <class Open>
Result<std::unique_ptr<Databases>> explained(const std::string& directory, Open open) try {
  return open();
} catch (const lmdb::Failure& failure) {
  if (failure.code() == MDB_INVALID || failure.code() == MDB_VERSION_MISMATCH)
    return unavailable(directory + "/data.mdb is not a Quire store. Name another directory.");
  return explain(failure);
} catch (const std::system_error& failed) {
  return refused("read", directory + "/data.mdb", failed.code().value());
} catch (const std::runtime_error& damaged) {
  return damaged_store(directory, damaged.what());
}

Status check_file(const std::string& directory) {
  lmdb::DataFile file(directory + "/data.mdb");
  if (file.size() == 0) return damaged_store(directory, "it is empty, of 0 bytes");
  if (!lmdb::is_lmdb(file)) return foreign(directory);
  return Done{};
}

Status claim(Databases& databases) {
  TRY(auto opening, OnlyOpening::claim(databases.directory));
  databases.opening.emplace(std::move(opening));
  return Done{};
}

Status lock_for_writing(Databases& databases) {
  const auto& directory = databases.directory;
  TRY(auto lock, WriterLock::take(directory));
  databases.lock.emplace(std::move(lock));
  std::error_code ignored;
  fs::remove(directory + "/data.mdb.new", ignored);  // left by a process that was killed
  bool made = is_there(directory) && !never_committed(directory);
  return made ? Status(Done{}) : create(directory);
}

}  // namespace

Result<WriterLock> WriterLock::take(const std::string& directory) {
  WriterLock lock(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.directory_ < 0) return cannot_write(directory);
  const auto hint = directory + "/writer.lock";
  if (flock(lock.directory_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return cannot_write(directory);
    return unavailable(fmt::format(
        "The store in {} is being written by another process{}. Stop it, or write through its HTTP "
        "interface.",
        directory, process_in(hint)));
  }
  int file = open(hint.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640);
  if (file < 0) return cannot_write(directory);
  auto pid = std::to_string(getpid());
  if (ftruncate(file, 0) != 0 || pwrite(file, pid.data(), pid.size(), 0) < 0) {
    // Only the hint is lost which process writes. A full disk shows at the first commit.
  }
  close(file);
  return lock;
}

WriterLock::~WriterLock() {
  if (directory_ >= 0) close(directory_);
}

Result<OnlyOpening> OnlyOpening::claim(const std::string& directory) {
  struct stat about {};
  if (stat(directory.c_str(), &about) != 0) return refused("read", directory, errno);
  Directory place(about.st_dev, about.st_ino);
  auto& [mutex, process, directories] = openings();
  std::lock_guard lock(mutex);
  if (std::exchange(process, getpid()) != getpid()) directories.clear();
  if (directories.insert(place).second) return OnlyOpening(place);
  return unavailable(
      fmt::format("This process has the store in {} open already. Open a store once, and share it "
                  "among threads.",
                  directory));
}

OnlyOpening::~OnlyOpening() {
  if (directory_ == Directory()) return;
  std::lock_guard lock(openings().mutex);
  openings().directories.erase(directory_);
}

void Damage::meet(std::string_view what) const {
  auto met = ++met_;
  auto now = now_ms(), next = next_log_ms_.load();
  if ((met > 1 && now < next) || !next_log_ms_.compare_exchange_strong(next, now + pause_ms))
    return;
  spdlog::warn(
      "{} in the store is damaged, and left out ({} met since the start): run quire verify", what,
      met);
}

Status is_there(const std::string& directory) {
  struct stat about {};
  auto file = directory + "/data.mdb";
  if (stat(file.c_str(), &about) == 0) return Done{};
  if (errno != ENOENT && errno != ENOTDIR) return refused("read", directory, errno);
  return Error{ErrorCode::unavailable,
               fmt::format("There is no store in {}. Fill one with quire import or quire generate, "
                           "or name another with --store lmdb:DIR.",
                           directory)};
}

Error refused(std::string_view deed, const std::string& path, int code) {
  bool user = code == EACCES || code == EPERM;
  return unavailable(fmt::format("Cannot {} {}: {}.{}", deed, path, std::strerror(code),
                                 user ? " Run quire as the user that owns the store." : ""));
}

Error explain(const lmdb::Failure& failure) {
  // LMDB reports a write that a full disk cut short as EIO.
  if (failure.code() == ENOSPC || failure.code() == EDQUOT || failure.code() == EFBIG ||
      failure.code() == EIO) {
    return unavailable(
        fmt::format("The disk of the store is full, or fails ({}). Nothing was changed; make room "
                    "and try again.",
                    failure.what()));
  }
  if (failure.code() == EACCES || failure.code() == EPERM) {
    return unavailable(
        fmt::format("The store failed: {}. Run quire as the user that owns the store, also to "
                    "read: readers are listed in lock.mdb.",
                    failure.what()));
  }
  if (failure.code() == MDB_MAP_FULL) {
    return unavailable(
        "The store is larger than the address space it was opened with. Nothing was changed.");
  }
  if (failure.code() == MDB_PANIC) {
    return unavailable(
        "A write to the disk of the store failed, and the store is being reopened. Nothing was "
        "changed; try again.");
  }
  return unavailable(fmt::format("The store failed: {}. Nothing was changed.", failure.what()));
}

Error damaged_store(const std::string& directory, const std::string& reason) {
  return unavailable(
      fmt::format("{}/data.mdb is damaged: {}. Restore a backup: docs/operating.md, Restoring.",
                  directory, reason));
}

Result<std::unique_ptr<Databases>> open_databases(const std::string& directory, Access access) {
  return explained(directory, [&]() -> Result<std::unique_ptr<Databases>> {
    TRY_DONE(prepare(directory, access));
    auto databases = std::make_unique<Databases>();
    databases->directory = directory;
    TRY_DONE(claim(*databases));
    if (access == Access::write) {
      TRY_DONE(lock_for_writing(*databases));
    }
    TRY_DONE(check_file(directory));
    open_environment(*databases, access);
    TRY(auto format, format_of(*databases));
    if (format != format_version) return other_format(directory, format);
    open_all(*databases);
    return databases;
  });
}

Result<std::unique_ptr<Databases>> open_beside(const std::string& directory) {
  return explained(directory, [&]() -> Result<std::unique_ptr<Databases>> {
    TRY_DONE(prepare(directory, Access::read));
    TRY_DONE(check_file(directory));
    auto databases = std::make_unique<Databases>();
    databases->directory = directory;
    TRY_DONE(claim(*databases));
    open_environment(*databases, Access::write);
    TRY(auto format, format_of(*databases));
    if (format != format_version) return other_format(directory, format);
    open_all(*databases);
    return databases;
  });
}

}  // namespace quire::embedded
