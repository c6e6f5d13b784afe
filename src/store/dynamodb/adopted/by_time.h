// Reads the comments of a product in order of time from the table's own index.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/entry.h"
#include "store/dynamodb/adopted/table.h"

namespace quire::adopted {

struct TimedComments {
  std::vector<Comment> comments;  // in the order asked for
  bool end;                       // no more follow
  double consumed = 0;
};

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
// index. Empty: it is not.
std::string damage_in(const Table& table, const dynamodb::Item& item, const Reading& reading);

// At most `limit` comments strictly after `after`. Comments of one moment, see moment_of(), come in
// order of their ids, so all of them are read. Items that do not sort by their times are damaged
// here, and left out. unavailable: the table fails, or thousands of comments have the same time. On
// the client's loop.
Awaitable<Result<TimedComments>> read_by_time(dynamodb::TableAccess& access, const Table& table,
                                              std::string product, Order order,
                                              std::optional<Ulid> after, std::size_t limit);

}  // namespace quire::adopted
