// Backup: a consistent copy of a store that other processes may read and write meanwhile.
#pragma once

#include <string>

#include "store/embedded/copy.h"

namespace quire::embedded {

// Copies the store of directory `from` into directory `to`, which must be missing or empty. Copies
// the cursor keys too, so that cursors stay valid. The copy is on disk when this returns; after a
// failure, nothing of it is left. Returns what it lacks, because pages of the store are damaged.
Result<Missing> backup(const Databases& databases, const std::string& from, const std::string& to);

}  // namespace quire::embedded
