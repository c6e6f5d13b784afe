// Reads the comments of one list, in order of time, from an index of the table.
#pragma once

#include <string>
#include <vector>

#include "model/entry.h"
#include "store/dynamodb/adopted/table.h"

namespace quire::adopted {

struct ListedComments {
  std::vector<Comment> comments;  // in the order asked for
  bool end;                       // no more follow
  double consumed = 0;
  std::uint64_t damaged = 0;  // items that were left out
};

// What to read: at most `range.limit` comments strictly after `range.after`. Some may be of other
// lists.
struct ListQuestion {
  std::string product;
  Order order;
  Range range;
  // False: other lists are read beside this one, and fewer comments do, if there is one at least.
  bool alone = true;
};

// `index` has the list, or one that has all its comments. Comments of one moment, see moment_of(),
// come in order of their ids, so all of them are read. Damaged items, see damage_in(), are left
// out. unavailable: the table fails, or thousands of comments have the same time. On the client's
// loop.
Awaitable<Result<ListedComments>> read_list(dynamodb::TableAccess& access,
                                            const AdoptedTable& table, const ListIndex& index,
                                            ListQuestion question);

}  // namespace quire::adopted
