// The scripts that read lists. A list is a sorted set of ids, 16 bytes each, all with the score 0:
// so Redis keeps them in the order of their bytes. All begin with check_bucket.
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

// state, lists; none; the number of ids in each.
constexpr const char* lengths_lua = R"(
local lengths = {}
for i = 2, #KEYS do lengths[i - 1] = redis.call('ZCARD', KEYS[i]) end
return lengths
)";

constexpr const char* rank_lua = R"(
-- How many ids of the list are older than `id`, which need not be in the list. The first bytes of
-- an id are older than the id.
local function rank(list, id) return redis.call('ZLEXCOUNT', list, '-', '(' .. id) end
)";

// state, lists; an id; its rank in each list.
constexpr const char* ranks_lua = R"(
local ranks = {}
for i = 2, #KEYS do ranks[i - 1] = rank(KEYS[i], ARGV[3]) end
return ranks
)";

// Narrows the search of the n-th id of a union of lists.
//
// For each list it keeps the range of ranks, from[i] up to to[i], that may hold the answer. For all
// lists together it keeps a time that is not too late, low, and one that is, high. Counting the ids
// that are older than a time in between narrows both. That time is the time of an id near the
// answer if the lists are evenly mixed; where that helps little, the middle between low and high.
// Where very many ids have the same time, the search takes an id instead.
constexpr const char* search_lua = R"(
-- In ms since 1970.
local function time(id)
  local a, b, c, d, e, f = string.byte(id, 1, 6)
  return ((((a * 256 + b) * 256 + c) * 256 + d) * 256 + e) * 256 + f
end

local function bytes(ms)
  local six = {}
  for i = 6, 1, -1 do
    six[i] = ms % 256
    ms = math.floor(ms / 256)
  end
  return string.char(unpack(six))
end

-- The part of the range at which the answer is expected, moved a little towards the larger side, so
-- that this side is cut off.
local function expected(part, width)
  local margin = 0.005 + 1 / math.sqrt(width)
  return part < 0.5 and part + margin or part - margin
end

-- Returns from, to, their width together, how many ids are before all `from`, and the widest range;
-- nothing if the lists have no n-th id. `alone`: also stops where one range is left.
local function search(lists, n, alone)
  local few = 256 + #lists
  local from, to, low, high = {}, {}, 0, 2 ^ 48
  for i, list in ipairs(lists) do from[i], to[i] = 0, redis.call('ZCARD', list) end

  local function left()
    local total, before, widest = 0, 0, 1
    for i = 1, #lists do
      total, before = total + to[i] - from[i], before + from[i]
      if to[i] - from[i] > to[widest] - from[widest] then widest = i end
    end
    return total, before, widest
  end

  -- Returns whether the id is not behind the answer.
  local function narrow(id)
    local ranks, sum = {}, 0
    for i, list in ipairs(lists) do
      ranks[i] = rank(list, id)
      sum = sum + ranks[i]
    end
    if sum <= n then from = ranks else to = ranks end
    return sum <= n
  end

  local function narrow_by_time(ms)
    ms = math.max(low + 1, math.min(high - 1, ms))
    if narrow(bytes(ms)) then low = ms else high = ms end
  end

  -- The id of a list at a part of its range; never the first one.
  local function id_after(part, i)
    local at = from[i] + math.floor((to[i] - from[i]) * part)
    at = math.max(from[i] + 1, math.min(to[i] - 1, at))
    return redis.call('ZRANGE', lists[i], at, at)[1]
  end

  local total, before, widest = left()
  if n >= total then return end
  local slow = false
  while total > few and not (alone and to[widest] - from[widest] == total) do
    local part = slow and 0.5 or expected((n - before + 0.5) / total, to[widest] - from[widest])
    if high - low == 1 then
      narrow(id_after(part, widest))
    elseif slow then
      narrow_by_time(math.floor((low + high) / 2))
    else
      narrow_by_time(time(id_after(part, widest)))
    end
    local earlier = total
    total, before, widest = left()
    slow = not slow and total > earlier / 2
  end
  return from, to, total, before, widest
end
)";

// state, lists; n; a number to skip and joined ids: the n-th id of the union is the one at that
// index of the sorted ids. Absent: there is no n-th id.
constexpr const char* nth_of_union_lua = R"(
local n, lists = tonumber(ARGV[3]), {}
for i = 2, #KEYS do lists[i - 1] = KEYS[i] end
local from, to, total, before, widest = search(lists, n, true)
if not from then return false end
local ids, alone = {}, to[widest] - from[widest] == total
for i, list in ipairs(lists) do
  local first, last = from[i], to[i] - 1
  if total == to[i] - from[i] then first = first + n - before; last = first end
  if first <= last then ids[#ids + 1] = table.concat(redis.call('ZRANGE', list, first, last)) end
end
return {alone and 0 or n - before, table.concat(ids)}
)";

// state, lists; per slice: of how many lists it is the union, its first rank, and how many ids; per
// slice a number to skip and joined ids: the slice is in the sorted ids after so many.
constexpr const char* slices_lua = R"(
local slices, key = {}, 2
for i = 3, #ARGV, 3 do
  local lists, n, count = {}, tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  for list = 1, tonumber(ARGV[i]) do lists[list] = KEYS[key + list - 1] end
  key = key + #lists
  local from, before, length = {}, 0, 0
  for list = 1, #lists do
    from[list], length = 0, length + redis.call('ZCARD', lists[list])
  end
  count = math.min(count, length)
  if n >= length or count == 0 then
    from = {}
  elseif #lists == 1 then
    from, before = {n}, n
  elseif n > 0 then
    local unused
    from, unused, unused, before = search(lists, n, false)
  end
  local ids = {}
  for list, first in ipairs(from) do
    local last = first + n - before + count - 1
    ids[list] = table.concat(redis.call('ZRANGE', lists[list], first, last))
  end
  slices[#slices + 1] = {#ids == 0 and 0 or n - before, table.concat(ids)}
end
return slices
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

const ListScripts& list_scripts() {
  const std::string check = check_bucket, ranked = check + rank_lua;
  static const ListScripts scripts{
      Script(check + lengths_lua), Script(ranked + search_lua + slices_lua),
      Script(ranked + ranks_lua), Script(ranked + search_lua + nth_of_union_lua)};
  return scripts;
}

}  // namespace quire::redis
