// Upgrades stores of earlier formats.
#pragma once

#include <cstdint>

#include "lmdb/new_file.h"

namespace quire::embedded {

// Whether a store of this format can be upgraded.
bool can_upgrade(std::uint32_t format);

// Copies the store that `from` sees, which has `format`, into `to`, in the present format. Throws
// lmdb::Failure, or std::runtime_error where the old store does not have that format.
void upgrade(std::uint32_t format, MDB_txn* from, lmdb::NewFile& to,
             const lmdb::Progress& progress);

}  // namespace quire::embedded
