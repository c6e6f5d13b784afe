// The lock that allows one writing process per store.
#pragma once

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

}  // namespace quire::embedded
