// Keys by which comments sort in an index that others made.
#pragma once

#include <optional>
#include <string>

#include "model/entry.h"
#include "store/dynamodb/adopted/table.h"

namespace quire::adopted {

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
// indexes, or lies in other lists of them than its fields say. Empty: it is not.
std::string damage_in(const Table& table, const dynamodb::Item& item, const Reading& reading);

}  // namespace quire::adopted
