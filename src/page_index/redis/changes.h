// Changes as a script wants them: what is added to each list, and what is removed.
#pragma once

#include <vector>

#include "change/target.h"
#include "page_index/redis/call.h"
#include "page_index/redis/keys.h"

namespace quire::redis {

// Appends them to a call of one of the scripts apply and put, which has its other keys and
// arguments already.
void append_changes(Call& call, const Keys& keys, const std::vector<change::Change>& changes);

}  // namespace quire::redis
