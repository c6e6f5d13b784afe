// Opens the directory of an embedded store: locks it, and checks or upgrades its format.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/access.h"
#include "lmdb/environment.h"
#include "lmdb/new_file.h"
#include "quire/result.h"
#include "store/embedded/damage.h"
#include "store/embedded/format/tables.h"
#include "store/embedded/lock.h"
#include "store/embedded/schema.h"

namespace quire::embedded {

struct Databases : Tables {
  std::string directory;
  std::optional<WriterLock> lock;  // with Access::write
  std::unique_ptr<lmdb::Environment> environment;
  // The row of the index's hash key is damaged: until a repair makes another, the index answers no
  // request and takes no write.
  mutable std::atomic<bool> keyless = false;
  Damage damage;
  SchemaCache schemas;
};

// Callbacks for an upgrade, which may take minutes.
struct Upgrading {
  // Called before the upgrade begins, with a sentence for people.
  std::function<void(const std::string& sentence)> begin = {};
  lmdb::Progress progress = {};
};

// unavailable: no store is in the directory.
Status is_there(const std::string& directory);

// Access::write makes a missing directory or store, and upgrades a store of an earlier format; a
// killed upgrade leaves the store as it was. Errors, which leave the data as it is: no store,
// another process writes, a foreign or newer format, damage, no permission, no room.
Result<std::unique_ptr<Databases>> open_databases(const std::string& directory, Access access,
                                                  const Upgrading& upgrading = {});

// Opens a store that another process writes, for a single small transaction beside it: LMDB lets
// writers take turns. unavailable: as above, or the store has another format.
Result<std::unique_ptr<Databases>> open_beside(const std::string& directory);

// The error that tells a caller about a failure of LMDB.
Error explain(const lmdb::Failure& failure);
// The error that tells why a damaged store cannot be opened, and what to do.
Error damaged_store(const std::string& directory, const std::string& reason);

}  // namespace quire::embedded
