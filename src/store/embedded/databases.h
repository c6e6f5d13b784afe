// The embedded store's directory: locked, opened, its format checked.
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
  std::optional<WriterLock> lock;  // when opened to write
  std::unique_ptr<lmdb::Environment> environment;
  lmdb::Sealed meta, products, comments, ids, damaged, once, once_by_id;
  lmdb::Ranked lists;
  MDB_dbi leaders, once_by_time;
  Damage damage;
};

// How an upgrade goes, which may take minutes.
struct Upgrading {
  // Before it begins, with a sentence for people.
  std::function<void(const std::string& sentence)> begin = {};
  lmdb::Progress progress = {};
};

// With Access::write a missing directory or store is made, and a store of an earlier format is
// upgraded; killed meanwhile, it is as it was. Refused, with the data left as it is: no store
// there, another process writes, a foreign or newer format, damage, no permission, no room.
Result<std::unique_ptr<Databases>> open_databases(const std::string& directory, Access access,
                                                  const Upgrading& upgrading = {});

// What a failure of LMDB means to a caller.
Error explain(const lmdb::Failure& failure);
// Why a damaged store cannot be opened, and what to do.
Error damaged_store(const std::string& directory, const std::string& reason);

}  // namespace quire::embedded
