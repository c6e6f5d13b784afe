#include "store/embedded/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace quire::embedded {
namespace {

Error unavailable(std::string message) {
  return {ErrorCode::unavailable, std::move(message)};
}

Error cannot_write(const std::string& directory) {
  return unavailable(fmt::format("Cannot write in {}: {}.", directory, std::strerror(errno)));
}

std::string process_in(int file) {
  char holder[32] = {};
  auto size = pread(file, holder, sizeof holder - 1, 0);
  return size > 0 ? fmt::format(" ({})", holder) : "";
}

}  // namespace

Result<WriterLock> WriterLock::take(const std::string& directory) {
  WriterLock lock(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                  open((directory + "/writer.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640));
  if (lock.directory_ < 0 || lock.file_ < 0) return cannot_write(directory);
  for (int file : {lock.directory_, lock.file_}) {
    if (flock(file, LOCK_EX | LOCK_NB) == 0) continue;
    if (errno != EWOULDBLOCK) return cannot_write(directory);
    return unavailable(fmt::format(
        "The store in {} is being written by another process{}. Stop it, or write through its HTTP "
        "interface.",
        directory, process_in(lock.file_)));
  }
  auto pid = std::to_string(getpid());
  if (ftruncate(lock.file_, 0) != 0 || pwrite(lock.file_, pid.data(), pid.size(), 0) < 0) {
    // Only the hint is lost which process writes. A full disk shows at the first commit.
  }
  return lock;
}

WriterLock::~WriterLock() {
  if (file_ >= 0) close(file_);
  if (directory_ >= 0) close(directory_);
}

}  // namespace quire::embedded
