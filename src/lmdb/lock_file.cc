#include "lmdb/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <thread>

#include "lmdb/data_file.h"
#include "lmdb/environment.h"

namespace quire::lmdb {
namespace {

// The size of LMDB's table of `max_readers` readers, in bytes.
constexpr off_t reserved = 4096 + std::size_t{max_readers} * 64;

std::string path_in(const std::string& directory) {
  return directory + "/lock.mdb";
}

int open_file(const std::string& directory) {
  return open(path_in(directory).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640);
}

int wait_for(int file, int operation) {
  int code;
  do code = flock(file, operation);
  while (code != 0 && errno == EINTR);
  return code;
}

// LMDB holds a shared lock on the first byte while an environment is open.
struct flock whole_table() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  return lock;
}

std::optional<pid_t> holder(int file) {
  struct flock lock = whole_table();
  if (fcntl(file, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return {};
  return std::max(lock.l_pid, 0);  // below 0: it is in another PID namespace
}

class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() {
    if (file_ >= 0) close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return file_; }

 private:
  int file_;
};

void sync_directory(const std::string& directory) {
  Descriptor file(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file < 0 || fsync(file) != 0) throw Failure("writing " + directory, errno);
}

std::uint64_t last_transaction_in(const std::string& path) try {
  return last_transaction(DataFile(path));
} catch (const std::system_error& unreadable) {
  throw Failure("reading " + path, unreadable.code().value());
}

}  // namespace

LockFile::LockFile(const std::string& directory)
    : path_(path_in(directory)), file_(open_file(directory)) {
  if (file_ < 0 && errno != EROFS) throw Failure("opening " + path_, errno);
}

LockFile::~LockFile() {
  if (file_ >= 0) close(file_);
}

OpeningTurn::OpeningTurn(const LockFile& table) : file_(table.file_) {
  if (file_ < 0) return;
  if (wait_for(file_, LOCK_EX) != 0) throw Failure("locking " + table.path_, errno);
  // A table that another process has mapped keeps its size.
  int code = holder(file_) ? 0 : posix_fallocate(file_, 0, reserved);
  if (code == 0) return;
  flock(file_, LOCK_UN);
  throw Failure("making " + table.path_, code);
}

OpeningTurn::~OpeningTurn() {
  if (file_ >= 0) flock(file_, LOCK_UN);
}

std::optional<Obstacle> put_in_place(const std::string& directory, const std::string& file,
                                     int seconds, std::optional<std::uint64_t> copied) {
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  Descriptor table(open_file(directory));
  if (table < 0) throw Failure("opening " + path_in(directory), errno);
  for (;;) {
    if (wait_for(table, LOCK_EX) != 0) throw Failure("locking " + path_in(directory), errno);
    struct flock lock = whole_table();
    if (fcntl(table, F_SETLK, &lock) == 0) break;
    auto other = holder(table);
    flock(table, LOCK_UN);
    if (std::chrono::steady_clock::now() >= end) return Obstacle{.process = other.value_or(0)};
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  auto data = directory + "/data.mdb";
  if (copied && last_transaction_in(data) != *copied) return Obstacle{.changed = true};
  // The next process to open the environment is the only one, and so resets the table.
  if (std::rename(file.c_str(), data.c_str()) != 0) throw Failure("writing " + directory, errno);
  sync_directory(directory);
  return {};
}

}  // namespace quire::lmdb
