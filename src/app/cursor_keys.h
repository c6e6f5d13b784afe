// The keys that seal cursors, in a file or a table.
#pragma once

#include <string>
#include <vector>

#include "base/backend.h"
#include "cursor/cursor.h"
#include "quire/result.h"

namespace quire {

namespace dynamodb {
class TableStore;
}

// Reads a key file: 32 bytes in hex a line; the first key seals, all keys open. With Access::write
// a missing file is made, readable by its owner alone, with a new key. With Access::read a missing
// file gives a key that no other process has. Logs a warning if everyone may read the file.
Result<std::vector<Seal::Key>> open_cursor_keys(const std::string& file, Access access);

// The keys that all processes on a table share, in an item of the table; made if missing.
Result<std::vector<Seal::Key>> table_cursor_keys(dynamodb::TableStore& store);

}  // namespace quire
