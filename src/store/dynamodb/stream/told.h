// What a log of events tells of a record of a table's stream. Pure.
#pragma once

#include "dynamodb/streams.h"
#include "store/dynamodb/stream/source.h"

namespace quire::dynamodb {

// Changes with events, in place of those with values: none if the record tells of nothing; two if
// it moved a comment to another product, which is removed from the former one. A comment or report
// that is much older than its record came by an import. A comment that becomes a damaged item is
// removed. A report's event has no product: reports lie in an item of their own, which names none.
RecordedChanges told_of(const Record& record);

}  // namespace quire::dynamodb
