// The directory of a page index: opened, its format checked.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "lmdb/environment.h"
#include "quire/result.h"
#include "store/access.h"

namespace quire::pages {

struct Databases {
  std::string directory;
  std::unique_ptr<lmdb::Environment> environment;
  MDB_dbi meta, marks, products, lists;
};

// With Access::write a missing directory or index is made. Refused, with the data left as it is: no
// index there, a foreign or newer format, no permission. A process must not have one directory open
// twice.
Result<std::unique_ptr<Databases>> open_databases(const std::string& directory, Access access);

// What an exception that was thrown while reading or writing means to a caller.
Error explain(const std::string& directory, const std::exception& thrown);

}  // namespace quire::pages
