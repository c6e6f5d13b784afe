// What keeps openings of a store apart: one writing process, and within a process one opening.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>

#include "quire/result.h"

namespace quire::embedded {

// Locks the directory; the system frees the lock when the process dies. The file writer.lock has
// the number of the process, as a hint for people.
class WriterLock {
 public:
  static Result<WriterLock> take(const std::string& directory);
  ~WriterLock();
  WriterLock(WriterLock&& other) noexcept : directory_(std::exchange(other.directory_, -1)) {}

 private:
  explicit WriterLock(int directory) : directory_(directory) {}
  int directory_;
};

// A process opens a store once: LMDB's locks belong to the process, and closing a second opening
// would free those of the first.
class OnlyOpening {
 public:
  static Result<OnlyOpening> claim(const std::string& directory);
  ~OnlyOpening();
  OnlyOpening(OnlyOpening&& other) noexcept
      : directory_(std::exchange(other.directory_, Directory())) {}

 private:
  using Directory = std::pair<dev_t, ino_t>;  // zeros: none
  explicit OnlyOpening(Directory directory) : directory_(directory) {}
  Directory directory_;
};

}  // namespace quire::embedded
