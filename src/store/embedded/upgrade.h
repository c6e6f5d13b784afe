// Stores of earlier formats: each step writes the store anew in the next format, in a file of its
// own.
#pragma once

#include <cstdint>

#include "lmdb/new_file.h"

namespace quire::embedded {

// Whether there is a step from this format.
bool can_upgrade(std::uint32_t format);

// Writes the store that `from` sees, of `format`, to `to`, in the format after it. Throws
// lmdb::Failure, or std::runtime_error where the old store is none of that format.
void upgrade(std::uint32_t format, MDB_txn* from, lmdb::NewFile& to,
             const lmdb::Progress& progress);

// The steps; each in a file of its own.
void upgrade_from_2(MDB_txn* from, lmdb::NewFile& to, const lmdb::Progress& progress);

}  // namespace quire::embedded
