// The directory of a page index: opened, its format checked.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <string>

#include "base/access.h"
#include "lmdb/environment.h"
#include "quire/result.h"

namespace quire::page_index {

struct Databases {
  std::string directory;
  std::unique_ptr<lmdb::Environment> environment;
  MDB_dbi meta, marks, products, lists;
};

// With Access::write a missing directory or index is made; with Access::read null says that none is
// there. Refused, with the data left as it is: a foreign or newer format, no permission. A process
// must not have one directory open twice.
Result<std::unique_ptr<Databases>> open_databases(const std::string& directory, Access access);

// Databases that are opened when they are first asked for: for a reader, whoever writes them may
// come later. Thread-safe.
class Directory {
 public:
  Directory(std::string path, Access access) : path_(std::move(path)), access_(access) {}

  // unavailable: also where there are none.
  Result<const Databases*> databases();
  // Null: there are none, which only a reader finds.
  Result<const Databases*> databases_if_made();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Access access_;
  std::mutex opening_;
  std::unique_ptr<Databases> databases_;  // guarded by opening_; stays once it is there
};

// What an exception that was thrown while reading or writing means to a caller.
Error explain(const std::string& directory, const std::exception& thrown);

}  // namespace quire::page_index
