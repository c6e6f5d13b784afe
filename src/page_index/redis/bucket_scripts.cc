// The scripts that change a bucket.
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

// Changes the lists from the fifth key on, five of one name after the other. The arguments from
// ARGV[at] on, per name: the number of the key that notes whether one of the five has members, and
// the name under that key; then per list the number of words that follow, and ids to remove; the
// number of words that follow, and scores and ids to add. A name is noted before its lists have
// members, so a reset finds all lists even where a script ended early.
constexpr const char* change_lists_lua = R"(
-- Works in parts, because Lua's stack is small. Returns the index of the next words.
local function each(command, list, at)
  local last = at + tonumber(ARGV[at])
  for first = at + 1, last, 1000 do
    redis.call(command, list, unpack(ARGV, first, math.min(first + 999, last)))
  end
  return last + 1
end

local function change(at)
  for i = 5, #KEYS, 5 do
    local notes, name = KEYS[tonumber(ARGV[at])], ARGV[at + 1]
    redis.call('ZADD', notes, 0, name)
    at = at + 2
    for list = i, i + 4 do
      at = each('ZREM', KEYS[list], at)
      at = each('ZADD', KEYS[list], at)
    end
    if redis.call('EXISTS', unpack(KEYS, i, i + 4)) == 0 then redis.call('ZREM', notes, name) end
  end
end
)";

// state, fences, products, languages, lists; shard, the number of the step, the smallest number of
// an open step, the arguments of change(); the life and the count of the bucket; or, if the number
// of the step is below the bucket's `low` or the shard's fence, that number alone. A fence is the
// number of a shard's last step here. Fences below the smallest number of an open step are not
// needed: that number is kept in their place. Where the step is here already, `low` is written
// anew, so the caller can wait until a replica has all that was written before.
constexpr const char* change_lua = R"(
local number, low = tonumber(ARGV[4]), tonumber(redis.call('HGET', KEYS[1], 'low') or '0')
if number < low then return {string.format('%.0f', low)} end
local fence = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[3]) or '0')
if number < fence then return {string.format('%.0f', fence)} end
if number == fence then
  redis.call('HSET', KEYS[1], 'low', string.format('%.0f', low))
  return {known[1] or '0', tonumber(known[2] or '0')}
end
change(6)
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[3])
if tonumber(ARGV[5]) > low then
  redis.call('HSET', KEYS[1], 'low', ARGV[5])
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. ARGV[5])
end
return {known[1] or '0', redis.call('HINCRBY', KEYS[1], 'count', 1)}
)";

// The keys of `change`; the arguments of change(); the life and the count of the bucket.
constexpr const char* put_lua = R"(
change(3)
return {known[1] or '0', redis.call('HINCRBY', KEYS[1], 'count', 1)}
)";

// state, products or languages; the first and the last name as ZRANGEBYLEX takes them, and how many
// names at most; the names.
constexpr const char* names_lua = R"(
return redis.call('ZRANGEBYLEX', KEYS[2], ARGV[3], ARGV[4], 'LIMIT', 0, ARGV[5])
)";

// state, fences, products, languages; the number of a reset, and how many names at most; 0 if a
// later reset was here; else the first names of products, and of languages.
constexpr const char* empty_lua = R"(
local life = tonumber(redis.call('HGET', KEYS[1], 'life') or '0')
if life > tonumber(ARGV[1]) then return 0 end
if life < tonumber(ARGV[1]) then
  redis.call('DEL', KEYS[1], KEYS[2])
  redis.call('HSET', KEYS[1], 'life', ARGV[1], 'low', ARGV[1])
end
return {redis.call('ZRANGE', KEYS[3], 0, ARGV[2] - 1), redis.call('ZRANGE', KEYS[4], 0, ARGV[2] - 1)}
)";

// state, products, languages, lists; the number of the reset, how many products, these, languages;
// whether the lists were removed, and the names with them.
constexpr const char* unlink_lua = R"(
if redis.call('HGET', KEYS[1], 'life') ~= ARGV[1] then return 0 end
for i = 4, #KEYS do redis.call('UNLINK', KEYS[i]) end
for i = 3, #ARGV do
  redis.call('ZREM', i < 3 + ARGV[2] and KEYS[2] or KEYS[3], ARGV[i])
end
return 1
)";

}  // namespace

const BucketScripts& bucket_scripts() {
  const std::string check = check_bucket, lists = change_lists_lua;
  static const BucketScripts scripts{Script(check + lists + change_lua),
                                     Script(check + lists + put_lua), Script(check + names_lua)};
  return scripts;
}

const ResetScripts& reset_scripts() {
  static const ResetScripts scripts{Script(empty_lua), Script(unlink_lua)};
  return scripts;
}

}  // namespace quire::redis
