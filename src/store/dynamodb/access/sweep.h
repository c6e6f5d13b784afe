// Removes what is left of comments that were removed: votes, of which there may be many, and
// reports. The item SWEEP beside them says so; it goes last, so a sweep that was cut off goes on.
#pragma once

#include "dynamodb/client.h"
#include "quire/ulid.h"

namespace quire::dynamodb {

// Sweeps at most some hundred items of one comment. False: nothing is left of it. On the client's
// loop.
Awaitable<Result<bool>> sweep_comment(Client& client, Ulid id);
// The same of any comment that the index `all` names, a moment behind the table.
Awaitable<Result<bool>> sweep_some(Client& client);

}  // namespace quire::dynamodb
