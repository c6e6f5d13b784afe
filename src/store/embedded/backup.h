// A consistent copy of an embedded store, beside whoever reads and writes it.
#pragma once

#include <string>

#include "store/embedded/databases.h"

namespace quire::embedded {

// Copies the store whose directory is `from` into the directory `to`, which is made, or empty. Its
// cursor keys come along, so that cursors stay good. The copy is on disk when this returns; if it
// fails, nothing of it is left.
Status backup(const Databases& databases, const std::string& from, const std::string& to);

}  // namespace quire::embedded
