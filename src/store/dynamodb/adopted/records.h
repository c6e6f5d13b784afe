// The records of the stream as changes of comments, as far as the kind of the stream tells them.
#pragma once

#include <vector>

#include "change/target.h"
#include "dynamodb/streams.h"
#include "store/dynamodb/adopted/table.h"

namespace quire::adopted {

// In the order of the records. Where the stream has no new images, the items are read as they are
// now, and a later change of the same item may be in an earlier record's change. Damaged items are
// counted, and are no comments. unavailable: an item cannot be read.
Awaitable<Result<std::vector<change::Change>>> changes_of(dynamodb::TableAccess& access,
                                                          const Table& table,
                                                          std::vector<dynamodb::Record> records);

// The comment of an item as a change that puts it. Absent: the item is none.
std::optional<change::Change> change_of(Reading reading);

}  // namespace quire::adopted
