// Opens the directory of a page index, and checks its format.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <string>

#include "base/backend.h"
#include "bitmap_index/reading/kept_totals.h"
#include "lmdb/environment.h"
#include "page_index/lmdb/word_sums.h"
#include "quire/result.h"
#include "word_index/databases.h"

namespace quire::page_index {

struct IndexDatabases {
  std::string directory;
  std::unique_ptr<lmdb::Environment> environment;
  MDB_dbi meta = 0, marks = 0;
  lmdb::Sealed products;  // name → ProductRow
  lmdb::Sealed items;     // part of the id → ItemRow
  bitmap_index::Databases index;
  word_index::Databases words;
  // Of this process. A product's generation tells whether they are still those of its index.
  std::unique_ptr<bitmap_index::KeptTotals> kept;
  std::unique_ptr<WordSums> word_sums;
};

// Access::write makes a missing directory or index. With Access::read, nullptr means that there is
// no index. Errors, which leave the data as it is: another format, no permission. A process must
// not open a directory twice.
Result<std::unique_ptr<IndexDatabases>> open_index_databases(const std::string& directory,
                                                             Access access);

// Opens the databases at the first request, because another process may make them after a reader
// has started. Thread-safe.
class Directory {
 public:
  Directory(std::string path, Access access) : path_(std::move(path)), access_(access) {}

  // unavailable: there is no index, or it cannot be opened.
  Result<const IndexDatabases*> databases();
  // nullptr: there is no index, which happens with Access::read only.
  Result<const IndexDatabases*> databases_if_made();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Access access_;
  std::mutex opening_;
  std::unique_ptr<IndexDatabases> databases_;  // guarded by opening_; set once
};

// The error that tells a caller about an exception of a read or write.
Error explain(const std::string& directory, const std::exception& thrown);

}  // namespace quire::page_index
