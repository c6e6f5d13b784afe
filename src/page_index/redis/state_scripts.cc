// What changes together. The mark moves last: whatever ends a script before that, the same step may
// be made again.
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

// Of each list from the fifth key on, from ARGV[at] on: the number of the key that notes that it
// has members, or 0; its name there; how many words follow and ids to remove; how many words follow
// and what to add, each a score and an id.
constexpr const char* change = R"(
-- In parts, since Lua's stack is small. Where the next words are.
local function each(command, list, at)
  local last = at + tonumber(ARGV[at])
  for first = at + 1, last, 1000 do
    redis.call(command, list, unpack(ARGV, first, math.min(first + 999, last)))
  end
  return last + 1
end

local function change(at)
  for i = 5, #KEYS do
    local list, notes, name = KEYS[i], KEYS[tonumber(ARGV[at])], ARGV[at + 1]
    at = each('ZREM', list, at + 2)
    at = each('ZADD', list, at)
    if notes and redis.call('EXISTS', list) == 1 then
      redis.call('ZADD', notes, 0, name)
    elseif notes then
      redis.call('ZREM', notes, name)
    end
  end
end
)";

// state, marks; none; all of both.
constexpr const char* state = R"(
return {redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2])}
)";

// state, marks, products, languages, lists; epoch, shard, where its mark is as "0 place", with 1 if
// it ended, or as nothing, the mark that follows, how many shards to forget, these, what change()
// wants; whether it was made.
constexpr const char* apply = R"(
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
local mark, at = redis.call('HGET', KEYS[2], ARGV[2]), ''
if mark then at = string.gsub(mark, '^(%d) %d+ ', '%1 ') end
if at ~= ARGV[3] then return 0 end
local forget = tonumber(ARGV[5])
change(6 + forget)
for i = 6, 5 + forget do redis.call('HDEL', KEYS[2], ARGV[i]) end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[4])
return 1
)";

// As of apply; what change() wants; whether it was done.
constexpr const char* put = R"(
if redis.call('HEXISTS', KEYS[1], 'resetting') == 1 then return 0 end
change(1)
return 1
)";

// state; epoch, phase, the phase that follows; whether it was changed.
constexpr const char* turn = R"(
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
if redis.call('HGET', KEYS[1], 'phase') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'phase', ARGV[3])
return 1
)";

// state; a word that tells this reset from others; 1. Without an epoch it is empty, and no step is
// made.
constexpr const char* begin_reset = R"(
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'resetting', ARGV[1])
return 1
)";

// state, keys to remove; the reset's word; whether they are.
constexpr const char* unlink = R"(
if redis.call('HGET', KEYS[1], 'resetting') ~= ARGV[1] then return 0 end
for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
return 1
)";

// state, marks; the reset's word, format, epoch, phase, stream, shards each with its mark; whether
// it is so.
constexpr const char* end_reset = R"(
if redis.call('HGET', KEYS[1], 'resetting') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
for i = 6, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
redis.call('HSET', KEYS[1], 'format', ARGV[2], 'epoch', ARGV[3], 'phase', ARGV[4],
  'stream', ARGV[5])
return 1
)";

}  // namespace

const StateScripts& state_scripts() {
  static const StateScripts scripts{Script(state),
                                    Script(std::string(change) + apply),
                                    Script(std::string(change) + put),
                                    Script(turn),
                                    Script(begin_reset),
                                    Script(unlink),
                                    Script(end_reset)};
  return scripts;
}

}  // namespace quire::redis
