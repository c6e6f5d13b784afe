// Changes as the scripts take them: what to add to each list, and what to remove.
#pragma once

#include <vector>

#include "change/target.h"
#include "page_index/redis/call.h"
#include "page_index/redis/keys.h"

namespace quire::redis {

// Appends changes to a call of the script `apply` or `put`. The call must have all its other keys
// and arguments.
void append_changes(Call& call, const Keys& keys, const std::vector<change::Change>& changes);

}  // namespace quire::redis
