// The scripts that change the index. The mark moves last: if a script ends before that, the same
// step can be applied again.
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

// Changes each list from the fifth key on. The arguments from ARGV[at] on, per list: the number of
// the key that notes whether the list has members, or 0; the name under that key; the number of
// words that follow, and ids to remove; the number of words that follow, and scores and ids to add.
constexpr const char* change = R"(
-- Works in parts, because Lua's stack is small. Returns the index of the next words.
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

// state, marks, products, languages, lists; epoch, shard, the compared part of its mark or nothing,
// the new mark, the number of shards to forget, these shards, the arguments of change(); whether
// the step was applied.
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

// The keys of apply; the arguments of change(); whether the changes were applied.
constexpr const char* put = R"(
if redis.call('HEXISTS', KEYS[1], 'resetting') == 1 then return 0 end
change(1)
return 1
)";

// state; epoch, phase, the new phase; whether the phase was changed.
constexpr const char* turn = R"(
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
if redis.call('HGET', KEYS[1], 'phase') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'phase', ARGV[3])
return 1
)";

// state; the word of this reset; 1. Removes the epoch, so the index is empty and no step is
// applied.
constexpr const char* begin_reset = R"(
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'resetting', ARGV[1])
return 1
)";

// state, keys to remove; the word of the reset; whether they were removed.
constexpr const char* unlink = R"(
if redis.call('HGET', KEYS[1], 'resetting') ~= ARGV[1] then return 0 end
for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
return 1
)";

// state, marks; the word of the reset, format, epoch, phase, stream, pairs of shard and mark;
// whether the new state was written.
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
