// Keys that are kept beside the comments, in a file or a table.
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

// What keys are for. Cursors: the first key seals, all open. Customers: one key, which is never
// replaced: with another one, customers are new persons.
enum class KeyUse { cursors, customers };

// The name of the file beside the comments: "cursor-keys" or "customer-key".
std::string_view file_name(KeyUse use);

// Reads a key file: 32 bytes in hex a line. With Access::write a missing file is made, readable by
// its owner alone, with a new key. With Access::read a missing file gives a key that no other
// process has; of customers it is an error. Logs a warning if everyone may read the file.
Result<std::vector<Seal::Key>> open_keys(KeyUse use, const std::string& file, Access access);

// The keys that all processes on a table share, in an item of the table. A missing item is made,
// but of customers only with Access::write.
Result<std::vector<Seal::Key>> table_keys(KeyUse use, dynamodb::TableStore& store, Access access);

}  // namespace quire
