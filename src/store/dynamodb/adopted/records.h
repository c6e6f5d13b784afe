// The records of the stream as changes of comments, as far as the kind of the stream tells them;
// and the keys by which comments sort in an index that others made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "change/target.h"
#include "dynamodb/streams.h"
#include "model/entry.h"
#include "store/dynamodb/adopted/table.h"

namespace quire::adopted {

// In the order of the records. Where the stream has no new images, the items are read as they are
// now, and a later change of the same item may be in an earlier record's change. Damaged items are
// counted, and are no comments. unavailable: an item cannot be read.
Awaitable<Result<std::vector<change::Change>>> changes_of(dynamodb::TableAccess& access,
                                                          const AdoptedTable& table,
                                                          std::vector<dynamodb::Record> records);

// The comment of an item as a change that puts it. Absent: the item is no comment.
std::optional<change::Change> change_of(Reading reading);

// The bounds of the sort key between which all comments from a time on lie, in this order. A bound
// may let in some that lie before.
struct SortBounds {
  std::optional<dynamodb::Attribute> from, to;
};
SortBounds bounds_of(const Mapping& mapping, dynamodb::Type sort_type, Order order,
                     std::optional<std::uint64_t> from_ms);

// Whether the sort key of a comment's item lies between the bounds of the comment's time, so that
// comments of different moments sort by time. No: the time has another form than the mapping's, or
// digits are not as many as those of other times.
bool sorts_by_time(const Mapping& mapping, const dynamodb::Attribute& key, const Comment& comment);

// Why an item is damaged: as a comment, or because it does not sort by its time in the mapping's
// indexes, or lies in other lists of them than its fields say. `all`: the item has all attributes;
// otherwise a key of an index that it lacks says nothing. Empty: it is not.
std::string damage_in(const AdoptedTable& table, const dynamodb::Item& item, const Reading& reading,
                      bool all = true);

}  // namespace quire::adopted
