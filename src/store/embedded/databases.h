// Opens the directory of an embedded store: locks it, and checks or upgrades its format.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/access.h"
#include "lmdb/environment.h"
#include "lmdb/new_file.h"
#include "lmdb/ranked_set.h"
#include "quire/result.h"
#include "store/embedded/damage.h"
#include "store/embedded/lock.h"

namespace quire::embedded {

struct Databases {
  std::string directory;
  std::optional<WriterLock> lock;  // with Access::write
  std::unique_ptr<lmdb::Environment> environment;
  lmdb::Sealed meta, products, comments, ids, damaged, once, once_by_id;
  lmdb::Ranked lists;
  MDB_dbi leaders, once_by_time;
  Damage damage;
};

// Callbacks for an upgrade, which may take minutes.
struct Upgrading {
  // Called before the upgrade begins, with a sentence for people.
  std::function<void(const std::string& sentence)> begin = {};
  lmdb::Progress progress = {};
};

// Access::write makes a missing directory or store, and upgrades a store of an earlier format; a
// killed upgrade leaves the store as it was. Errors, which leave the data as it is: no store,
// another process writes, a foreign or newer format, damage, no permission, no room.
Result<std::unique_ptr<Databases>> open_databases(const std::string& directory, Access access,
                                                  const Upgrading& upgrading = {});

// The error that tells a caller about a failure of LMDB.
Error explain(const lmdb::Failure& failure);
// The error that tells why a damaged store cannot be opened, and what to do.
Error damaged_store(const std::string& directory, const std::string& reason);

}  // namespace quire::embedded
