// Opens the directory of a page index, and checks or upgrades its format.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/access.h"
#include "bitmap_index/reading/kept_totals.h"
#include "lmdb/environment.h"
#include "lmdb/new_file.h"
#include "quire/result.h"

namespace quire::page_index {

struct IndexDatabases {
  std::string directory;
  std::unique_ptr<lmdb::Environment> environment;
  MDB_dbi meta = 0, marks = 0;
  lmdb::Sealed products;
  std::optional<lmdb::Sealed> items;  // absent: made by a program that knew none, and only read
  bitmap_index::Databases index;
  // Of this process. A product's generation tells whether they are still those of its index.
  std::unique_ptr<bitmap_index::KeptTotals> kept;
};

// Callbacks for an upgrade, which may take minutes.
struct Upgrading {
  // Called before the upgrade begins, with a sentence for people.
  std::function<void(const std::string& sentence)> begin = {};
  lmdb::Progress progress = {};
};

// Access::write makes a missing directory or index, and upgrades an index of an earlier format; a
// killed upgrade goes on when the index is opened next. With Access::read, nullptr means that there
// is no index. Errors, which leave the data as it is: a foreign or newer format, no permission. A
// process must not open a directory twice.
Result<std::unique_ptr<IndexDatabases>> open_index_databases(const std::string& directory,
                                                             Access access,
                                                             const Upgrading& upgrading = {});

// Opens the databases at the first request, because another process may make or upgrade them after
// a reader has started. Thread-safe.
class Directory {
 public:
  Directory(std::string path, Access access) : path_(std::move(path)), access_(access) {}

  // unavailable: there is no index, or it cannot be opened.
  Result<const IndexDatabases*> databases();
  // nullptr: there is no index, which happens with Access::read only.
  Result<const IndexDatabases*> databases_if_made(const Upgrading& upgrading = {});
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
