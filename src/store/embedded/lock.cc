#include "store/embedded/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <set>

#include "store/embedded/databases.h"

namespace quire::embedded {
namespace {

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

}  // namespace quire::embedded
