// Compacting: the store is rewritten without the space that deleted comments left.
#pragma once

#include "store/embedded/copy.h"

namespace quire::embedded {

// `databases` are opened to write, and closed afterwards. Killed at any time, the store is the old
// or the new one. Returns what the new one would lack, because pages of the store are damaged: then
// nothing was changed. unavailable: a reader did not end within 30 seconds, a facet was declared
// meanwhile, or the disk has no room.
Result<Missing> compact(Databases& databases, const lmdb::Progress& progress = {});

}  // namespace quire::embedded
