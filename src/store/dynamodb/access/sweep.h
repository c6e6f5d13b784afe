// Removes what is left of comments that were removed: votes, of which there may be many, and
// reports. The item SWEEP beside them says so; it goes last, so a sweep that was cut off goes on.
// While it is there, the votes beside it are on no comment, also when one came back with the id.
#pragma once

#include "dynamodb/client.h"
#include "quire/ulid.h"

namespace quire::dynamodb {

// Sweeps at most some hundred items of one comment, which has the item SWEEP. False: nothing is
// left of it. On the client's loop.
Awaitable<Result<bool>> sweep_comment(Client& client, Ulid id);
// Whether the comment has the item SWEEP, as of now.
Awaitable<Result<bool>> is_unswept(Client& client, Ulid id);
// The same of any comment that the index `all` names, a moment behind the table.
Awaitable<Result<bool>> sweep_some(Client& client);

}  // namespace quire::dynamodb
