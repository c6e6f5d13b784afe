// The embedded store's directory: locked, opened, its format checked.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "lmdb/environment.h"
#include "quire/result.h"
#include "store/access.h"

namespace quire::embedded {

// Holds a lock file for as long as it lives: one writing process a store. The system frees it when
// a process dies.
class WriterLock {
 public:
  static Result<WriterLock> take(const std::string& directory);
  ~WriterLock();
  WriterLock(WriterLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

 private:
  explicit WriterLock(int file) : file_(file) {}
  int file_;
};

struct Databases {
  std::optional<WriterLock> lock;  // when opened to write
  std::unique_ptr<lmdb::Environment> environment;
  MDB_dbi meta, products, comments, ids, lists, leaders, damaged, once, once_by_time;
};

// With Access::write a missing directory or store is made. Refused, with the data left as it
// is: no store there, another process writes, a foreign or newer format, no permission.
Result<std::unique_ptr<Databases>> open_databases(const std::string& directory, Access access);

// What a failure of LMDB means to a caller.
Error explain(const lmdb::Failure& failure);

}  // namespace quire::embedded
