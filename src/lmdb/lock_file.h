// Guards lock.mdb, LMDB's table of readers: reserves its disk space before LMDB maps it, lets one
// process at a time open data.mdb, and replaces data.mdb only while no process has it open.
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
  // Throws Failure when lock.mdb cannot be opened.
  explicit LockFile(const std::string& directory);
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

 private:
  friend class OpeningTurn;
  const std::string path_;
  int file_;  // -1: the file system is read-only, and LMDB uses no lock file
};

// While it lives, no other process opens the environment or replaces data.mdb.
//
// LMDB's first opener sets the number of the table to 0, and only after it has mapped data.mdb to
// that of the newest transaction. If it fails or is killed in between, an opener that waits for
// LMDB's own lock joins the table as it is: it would read transaction 0 and overwrite transaction
// 1. Here it waits for its turn instead. The system frees LMDB's lock of a dead process before the
// turn, so the next opener is a first one, too.
class OpeningTurn {
 public:
  // Throws Failure when the disk has no room for lock.mdb.
  explicit OpeningTurn(const LockFile& table);
  ~OpeningTurn();
  OpeningTurn(const OpeningTurn&) = delete;
  OpeningTurn& operator=(const OpeningTurn&) = delete;

 private:
  const int file_;
};

// Why data.mdb was not replaced.
struct Obstacle {
  bool changed = false;  // it has another state than the copied one
  pid_t process = 0;     // otherwise: this process still has it open; 0: an unknown one
};
// Replaces data.mdb by `file`, durably. Waits up to `seconds` until no other process has the
// environment open; this process must not have it open. `copied`: `file` is a copy of data.mdb as
// it was after the transaction of this number. If there was a later one, data.mdb stays. Absent:
// `file` is no copy. Returns nothing after success. Throws Failure, and Damaged where the number of
// the last transaction cannot be read.
std::optional<Obstacle> put_in_place(const std::string& directory, const std::string& file,
                                     int seconds, std::optional<std::uint64_t> copied = {});

}  // namespace quire::lmdb
