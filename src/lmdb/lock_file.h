// LMDB's table of readers, lock.mdb, looked after: its room on disk is reserved before LMDB maps
// it, and data.mdb changes only while nobody has it open, or is about to open it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace quire::lmdb {

// Kept open as long as the environment: the system takes a process's locks of a file away when
// the process closes any of its descriptors.
class LockFile {
 public:
  // Holds off a change of data.mdb until opened(). Throws Failure when there is no room for it.
  explicit LockFile(const std::string& directory);
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  void opened();

 private:
  int file_;  // -1: the directory cannot be written, and LMDB does without
};

// Puts `file` in the place of data.mdb, durably. Waits up to `seconds` for those who have the
// environment open; this process must not. The process that still has it; nothing: it is done.
std::optional<pid_t> put_in_place(const std::string& directory, const std::string& file,
                                  int seconds);
// A process that has the environment open; this process must not.
std::optional<pid_t> open_elsewhere(const std::string& directory);

}  // namespace quire::lmdb
