// The store written anew, entry by entry, so that nothing of what was deleted is left: beside
// itself and into its own place, or into another directory.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/embedded/databases.h"

namespace quire::embedded {

// The names of the store's databases: all, and those whose values are sealed.
std::vector<const char*> database_names();
const std::vector<std::pair<const char*, lmdb::Sealed Databases::*>>& sealed_names();

// Copies every entry as it is, damaged ones too.
void copy_all(const Databases& databases, MDB_txn* from, lmdb::NewFile& to,
              const lmdb::Progress& progress);

// Writes a new file with `write` and puts it into the place of the store's own; the environment is
// closed then. `databases` are opened to write. Killed at any time, the store is the old or the new
// one. unavailable: a reader did not end, or there is no room. Throws lmdb::Failure.
std::optional<Error> rewrite(Databases& databases,
                             const std::function<void(MDB_txn*, lmdb::NewFile&)>& write);

// Rewrites the store without what was deleted; it is closed after.
Status compact(Databases& databases, const lmdb::Progress& progress = {});

}  // namespace quire::embedded
