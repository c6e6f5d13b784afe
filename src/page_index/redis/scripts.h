// The scripts of the page index, in Lua. Above each script: its keys; its arguments; its reply.
// docs/formats/pages-redis.md describes how they work together.
#pragma once

#include "page_index/redis/client/reply.h"

namespace quire::redis {

// On the keys of the whole index.
struct StateScripts {
  Script state, begin_step, end_step, renumber, note, change_phase, begin_reset, end_reset;
};
const StateScripts& state_scripts();

// These and the ListScripts are on the keys of one bucket. They begin with the state of the bucket,
// and with the arguments life and count, as the caller knows them. Where the bucket has another
// life or a smaller count, their reply is the word "other", and they do nothing.
struct BucketScripts {
  Script change, put, names;
};
const BucketScripts& bucket_scripts();

// On the keys of one bucket, without these arguments.
struct ResetScripts {
  Script empty, unlink;
};
const ResetScripts& reset_scripts();

struct ListScripts {
  Script lengths, slices, ranks, nth_of_union;
};
const ListScripts& list_scripts();

// The beginning of the scripts of a bucket.
inline constexpr const char* check_bucket = R"(
local known = redis.call('HMGET', KEYS[1], 'life', 'count')
if (known[1] or '0') ~= ARGV[1] then return 'other' end
if tonumber(known[2] or '0') < tonumber(ARGV[2]) then return 'other' end
)";

}  // namespace quire::redis
