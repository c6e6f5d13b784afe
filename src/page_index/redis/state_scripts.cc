// The scripts on the keys of the whole index.
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

constexpr const char* common_lua = R"(
local function text(number) return string.format('%.0f', number) end

-- Greater than all numbers before, also where a failover lost the last ones: `now` is in ms.
local function next_number(state, now)
  local last = tonumber(redis.call('HGET', state, 'number') or '0')
  return text(math.max(last + 1, tonumber(now)))
end

-- Pairs of bucket and count, from ARGV[at] on.
local function note(counts, at)
  for i = at, #ARGV, 2 do
    local known = tonumber(redis.call('HGET', counts, ARGV[i]) or '0')
    if known < tonumber(ARGV[i + 1]) then redis.call('HSET', counts, ARGV[i], ARGV[i + 1]) end
  end
end

local function move(marks, shard, after, at, forget)
  for i = at, at + forget - 1 do redis.call('HDEL', marks, ARGV[i]) end
  redis.call('HSET', marks, shard, after)
end
)";

// state, marks, counts; none; all of them.
constexpr const char* state_lua = R"(
return {redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]),
  redis.call('HGETALL', KEYS[3])}
)";

// state, marks, open, steps, counts; epoch, shard, the compared part of its mark or nothing, the
// time in ms, the new mark, the text of the step or nothing if it has no changes, shards to forget;
// 0: not begun, 1: made, the step has no changes; else the number of the step, the smallest number
// of an open step, the life, all counts, and, if the shard has an open step, the text of that step,
// whose number it is then.
constexpr const char* begin_step_lua = R"(
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
local function begun(number, step)
  local low = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
  return {number, text(tonumber(low)), redis.call('HGET', KEYS[1], 'life'),
    redis.call('HGETALL', KEYS[5]), step}
end
local open = redis.call('ZSCORE', KEYS[3], ARGV[2])
if open then return begun(text(tonumber(open)), redis.call('HGET', KEYS[4], ARGV[2])) end
local mark, at = redis.call('HGET', KEYS[2], ARGV[2]), ''
if mark then at = string.gsub(mark, '^(%d) %d+ ', '%1 ') end
if at ~= ARGV[3] then return 0 end
if ARGV[6] == '' then
  move(KEYS[2], ARGV[2], ARGV[5], 7, #ARGV - 6)
  return 1
end
local number = next_number(KEYS[1], ARGV[4])
redis.call('HSET', KEYS[1], 'number', number)
redis.call('HSET', KEYS[4], ARGV[2], ARGV[6])
redis.call('ZADD', KEYS[3], number, ARGV[2])
return begun(number)
)";

// state, marks, open, steps, counts; epoch, shard, the number of its step, the new mark, how many
// shards to forget, these shards, pairs of bucket and count; whether the step is made.
constexpr const char* end_step_lua = R"(
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
local open = redis.call('ZSCORE', KEYS[3], ARGV[2])
if not open or tonumber(open) ~= tonumber(ARGV[3]) then
  return redis.call('HGET', KEYS[2], ARGV[2]) == ARGV[4] and 1 or 0
end
local forget = tonumber(ARGV[5])
note(KEYS[5], 6 + forget)
move(KEYS[2], ARGV[2], ARGV[4], 6, forget)
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('HDEL', KEYS[4], ARGV[2])
return 1
)";

// state, open; shard, the number of its step, a number; whether the step is open. It then has a
// number above both.
constexpr const char* renumber_lua = R"(
local open = redis.call('ZSCORE', KEYS[2], ARGV[1])
if not open or tonumber(open) ~= tonumber(ARGV[2]) then return 0 end
local number = next_number(KEYS[1], tonumber(ARGV[3]) + 1)
redis.call('HSET', KEYS[1], 'number', number)
redis.call('ZADD', KEYS[2], number, ARGV[1])
return 1
)";

// state, counts; life, pairs of bucket and count; whether the counts were noted.
constexpr const char* note_lua = R"(
if redis.call('HGET', KEYS[1], 'life') ~= ARGV[1] then return 0 end
note(KEYS[2], 2)
return 1
)";

// state; epoch, phase, the new phase; whether the phase was changed.
constexpr const char* change_phase_lua = R"(
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
if redis.call('HGET', KEYS[1], 'phase') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'phase', ARGV[3])
return 1
)";

// state; the time in ms; the number of this reset. Removes the epoch, so the index is empty and no
// step is begun.
constexpr const char* begin_reset_lua = R"(
local number = next_number(KEYS[1], ARGV[1])
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'resetting', number, 'number', number)
return number
)";

// state, marks, counts, open, steps; the number of the reset, format, epoch, phase, stream, pairs
// of shard and mark; whether the new state was written.
constexpr const char* end_reset_lua = R"(
if redis.call('HGET', KEYS[1], 'resetting') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
for i = 6, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
redis.call('HSET', KEYS[1], 'format', ARGV[2], 'epoch', ARGV[3], 'phase', ARGV[4],
  'stream', ARGV[5], 'life', ARGV[1], 'number', ARGV[1])
return 1
)";

Script with_common(const char* text) {
  return Script(std::string(common_lua) + text);
}

}  // namespace

const StateScripts& state_scripts() {
  static const StateScripts scripts{Script(state_lua),
                                    with_common(begin_step_lua),
                                    with_common(end_step_lua),
                                    with_common(renumber_lua),
                                    with_common(note_lua),
                                    Script(change_phase_lua),
                                    with_common(begin_reset_lua),
                                    Script(end_reset_lua)};
  return scripts;
}

}  // namespace quire::redis
