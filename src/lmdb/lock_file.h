// Guards lock.mdb, LMDB's table of readers: reserves its disk space before LMDB maps it, and
// replaces data.mdb only while no process has it open or is opening it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace quire::lmdb {

// Stays open as long as the environment: when a process closes any descriptor of a file, the system
// drops all locks that the process holds on that file.
class LockFile {
 public:
  // Until opened() is called, no process can replace data.mdb. Throws Failure when the disk has no
  // room for lock.mdb.
  explicit LockFile(const std::string& directory);
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  void opened();

 private:
  int file_;  // -1: the file system is read-only, and LMDB uses no lock file
};

// Why data.mdb was not replaced.
struct Obstacle {
  bool changed = false;  // it has another state than the copied one
  pid_t process = 0;     // otherwise: this process still has it open; 0: an unknown one
};
// Replaces data.mdb by `file`, durably. Waits up to `seconds` until no other process has the
// environment open; this process must not have it open. `copied`: the number of the transaction of
// which `file` is a copy, so that no later transaction is lost; absent: it is no copy. Returns
// nothing after success. Throws Failure, and Damaged where `copied` cannot be compared.
std::optional<Obstacle> put_in_place(const std::string& directory, const std::string& file,
                                     int seconds, std::optional<std::uint64_t> copied = {});
// Another process that has the environment open. This process must not have it open.
std::optional<pid_t> open_elsewhere(const std::string& directory);

}  // namespace quire::lmdb
