// The keys of cursors, and where they are kept.
#pragma once

#include <string>
#include <vector>

#include "base/access.h"
#include "cursor/cursor.h"
#include "quire/result.h"

namespace quire {

namespace dynamodb {
class TableStore;
}

// The keys of cursors: hex, 32 bytes each, one a line; the first seals, all open. With
// Access::write a missing file is made, readable by its owner alone, with one new key; else the key
// is for this process alone.
Result<std::vector<Seal::Key>> open_cursor_keys(const std::string& file, Access access);

// Those that every process on the table shares, in an item of its own; made if missing.
Result<std::vector<Seal::Key>> table_cursor_keys(dynamodb::TableStore& store);

}  // namespace quire
