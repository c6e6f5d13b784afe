// Upgrades a page index of format 1, which kept four lists of each product, to the present one.
#pragma once

#include "lmdb/environment.h"
#include "lmdb/new_file.h"

namespace quire::page_index {

// In small transactions, so that it needs little memory; killed, it goes on where it was. Meanwhile
// the index has the phase `building`, in an epoch of its own: so no program of format 1 changes
// what is copied. Afterwards the databases must be opened anew. Does nothing where another process
// was faster. Throws lmdb::Failure and lmdb::Damaged.
void upgrade_from_1(lmdb::Environment& environment, const lmdb::Progress& progress);

}  // namespace quire::page_index
