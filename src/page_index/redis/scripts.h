// The scripts of the page index, in Lua. Above each script: its keys; its arguments; its reply.
#pragma once

#include "page_index/redis/call.h"

namespace quire::redis {

struct StateScripts {
  Script state, apply, put, turn, begin_reset, unlink, end_reset;
};
const StateScripts& state_scripts();

struct ListScripts {
  Script lengths, slices, probe, nth_of_union;
};
const ListScripts& list_scripts();

}  // namespace quire::redis
