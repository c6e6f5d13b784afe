// Opens the directory of an embedded store: locks it, and checks its format.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "base/access.h"
#include "lmdb/environment.h"
#include "quire/result.h"
#include "store/embedded/damage.h"
#include "store/embedded/format/tables.h"
#include "store/embedded/lock.h"
#include "store/embedded/schema.h"

namespace quire::embedded {

struct Databases : Tables {
  std::string directory;
  std::optional<OnlyOpening> opening;
  std::optional<WriterLock> lock;  // with Access::write
  std::unique_ptr<lmdb::Environment> environment;
  // The row of the index's hash key is damaged: until a repair makes another, the index answers no
  // request and takes no write.
  mutable std::atomic<bool> keyless = false;
  Damage damage;
  SchemaCache schemas;
};

// unavailable: no store is in the directory, or this process may not see it.
Status is_there(const std::string& directory);

// Access::write makes a missing directory or store. Errors, which leave the data as it is: no
// store, another process writes, this process has it open, another format, damage, no permission,
// no room.
Result<std::unique_ptr<Databases>> open_databases(const std::string& directory, Access access);

// Opens a store that another process writes, for a single small transaction beside it: LMDB lets
// writers take turns. unavailable: as above, or the store has another format.
Result<std::unique_ptr<Databases>> open_beside(const std::string& directory);

// The error that tells a caller about a failure of LMDB.
Error explain(const lmdb::Failure& failure);
// The error that tells that the system does not let this process `deed` ("read") a path.
Error refused(std::string_view deed, const std::string& path, int code);
// The error that tells why a damaged store cannot be opened, and what to do.
Error damaged_store(const std::string& directory, const std::string& reason);

}  // namespace quire::embedded
