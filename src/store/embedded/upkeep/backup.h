// Upkeep by copying: a backup that other processes may read and write beside, and a compacted
// store.
#pragma once

#include <string>

#include "store/embedded/copy.h"

namespace quire::embedded {

// `databases` are opened to write, and closed afterwards. Killed at any time, the store is the old
// or the new one. Returns what the new one would lack, because pages of the store are damaged: then
// nothing was changed. unavailable: a reader did not end within 30 seconds, a facet was declared
// meanwhile, or the disk has no room.
Result<Missing> compact(Databases& databases, const lmdb::Progress& progress = {});

// Copies the store of directory `from` into directory `to`, which must be missing or empty. Copies
// the cursor keys too, so that cursors stay valid. The copy is on disk when this returns; after a
// failure, nothing of it is left. Returns what it lacks, because pages of the store are damaged.
Result<Missing> backup(const Databases& databases, const std::string& from, const std::string& to);

}  // namespace quire::embedded
