// The lock that allows one writing process per store.
#pragma once

#include <string>
#include <utility>

#include "quire/result.h"

namespace quire::embedded {

// Locks the directory, and the file writer.lock, which earlier versions lock. The system frees both
// locks when the process dies.
class WriterLock {
 public:
  static Result<WriterLock> take(const std::string& directory);
  ~WriterLock();
  WriterLock(WriterLock&& other) noexcept
      : directory_(std::exchange(other.directory_, -1)), file_(std::exchange(other.file_, -1)) {}

 private:
  WriterLock(int directory, int file) : directory_(directory), file_(file) {}
  int directory_, file_;
};

}  // namespace quire::embedded
