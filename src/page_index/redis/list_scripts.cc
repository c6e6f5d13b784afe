// The scripts that read lists. A list is a sorted set of ids, 16 bytes each: the score is the time
// of the id, and ids of equal times sort by their bytes.
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

// lists; none; the number of ids in each.
constexpr const char* lengths = R"(
local lengths = {}
for i, list in ipairs(KEYS) do lengths[i] = redis.call('ZCARD', list) end
return lengths
)";

// lists; per list the first and the last rank; per list its ids, joined.
constexpr const char* slices = R"(
local slices = {}
for i, list in ipairs(KEYS) do
  slices[i] = table.concat(redis.call('ZRANGE', list, ARGV[2 * i - 1], ARGV[2 * i]))
end
return slices
)";

constexpr const char* ranks_of = R"(
-- In ms since 1970.
local function time(id)
  local a, b, c, d, e, f = string.byte(id, 1, 6)
  return ((((a * 256 + b) * 256 + c) * 256 + d) * 256 + e) * 256 + f
end

-- Lua itself compares by the locale of the server.
local function precedes(a, b)
  for i = 1, 16 do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x < y end
  end
  return false
end

-- The rank of an id, which is from `low` to `high`.
local function rank_within(list, id, low, high)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if precedes(redis.call('ZRANGE', list, middle, middle)[1], id) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

-- How many ids of the list are older than `id`, which need not be in the list.
local function rank(list, id)
  local ms = string.format('%.0f', time(id))
  local low = redis.call('ZCOUNT', list, '-inf', '(' .. ms)
  return rank_within(list, id, low, low + redis.call('ZCOUNT', list, ms, ms))
end

local function ranks_of(id)
  local ranks = {}
  for i, list in ipairs(KEYS) do ranks[i] = rank(list, id) end
  return ranks
end
)";

// lists; pivots: the number of a list and a rank in it, or 0 and an id; per pivot that exists its
// id, then the rank of the id in each list.
constexpr const char* probe = R"(
local probes = {}
for i = 1, #ARGV, 2 do
  local list, id = KEYS[tonumber(ARGV[i])], ARGV[i + 1]
  if list then id = redis.call('ZRANGE', list, id, id)[1] end
  if id then
    local probe = ranks_of(id)
    table.insert(probe, 1, id)
    probes[#probes + 1] = probe
  end
end
return probes
)";

// lists; n; a number to skip and joined ids: the n-th id of the union is the one at that index of
// the sorted ids.
//
// For each list the search keeps the range of ranks, from[i] up to to[i], that may hold the answer.
// For all lists together it keeps a time that is not too late, low, and one that is, high. Counting
// the ids that are older than a time in between narrows both. That time is the time of an id near
// the answer if the lists are evenly mixed; where that helps little, the middle between low and
// high. Where very many ids have the same time, the search compares ids instead.
constexpr const char* nth_of_union = R"(
local n = tonumber(ARGV[1])
local few = 256 + #KEYS
local from, to, low, high = {}, {}, 0, 2 ^ 48
for i, list in ipairs(KEYS) do from[i], to[i] = 0, redis.call('ZCARD', list) end

-- How many ids are left, how many are surely older than the answer, and the widest range.
local function left()
  local total, before, widest = 0, 0, 1
  for i = 1, #KEYS do
    total, before = total + to[i] - from[i], before + from[i]
    if to[i] - from[i] > to[widest] - from[widest] then widest = i end
  end
  return total, before, widest
end

-- Narrows by the ranks of one position. Returns whether the position is not behind the answer.
local function narrow(ranks)
  local sum = 0
  for i = 1, #KEYS do sum = sum + ranks[i] end
  if sum <= n then from = ranks else to = ranks end
  return sum <= n
end

local function narrow_by_time(ms)
  ms = math.max(low + 1, math.min(high - 1, ms))
  local ranks, before = {}, '(' .. string.format('%.0f', ms)
  for i, list in ipairs(KEYS) do ranks[i] = redis.call('ZCOUNT', list, '-inf', before) end
  if narrow(ranks) then low = ms else high = ms end
end

local function narrow_by_id(id)
  local ranks = {}
  for i, list in ipairs(KEYS) do ranks[i] = rank_within(list, id, from[i], to[i]) end
  narrow(ranks)
end

-- The id of a list at a part of its range; never the first one.
local function id_after(part, i)
  local at = from[i] + math.floor((to[i] - from[i]) * part)
  at = math.max(from[i] + 1, math.min(to[i] - 1, at))
  return redis.call('ZRANGE', KEYS[i], at, at)[1]
end

-- The part of the range at which the answer is expected, moved a little towards the larger side, so
-- that this side is cut off.
local function expected(part, width)
  local margin = 0.005 + 1 / math.sqrt(width)
  return part < 0.5 and part + margin or part - margin
end

local total, before, widest = left()
if n >= total then return false end
local slow = false
while total > few and to[widest] - from[widest] < total do
  local part = slow and 0.5 or expected((n - before + 0.5) / total, to[widest] - from[widest])
  if high - low == 1 then
    narrow_by_id(id_after(part, widest))
  elseif slow then
    narrow_by_time(math.floor((low + high) / 2))
  else
    narrow_by_time(time(id_after(part, widest)))
  end
  local earlier = total
  total, before, widest = left()
  slow = not slow and total > earlier / 2
end

local ids = {}
for i, list in ipairs(KEYS) do
  local first, last = from[i], to[i] - 1
  if total == to[i] - from[i] then first = first + n - before; last = first end
  if first <= last then ids[#ids + 1] = table.concat(redis.call('ZRANGE', list, first, last)) end
end
local alone = to[widest] - from[widest] == total
return {alone and 0 or n - before, table.concat(ids)}
)";

}  // namespace

const ListScripts& list_scripts() {
  const std::string prelude = ranks_of;
  static const ListScripts scripts{Script(lengths), Script(slices), Script(prelude + probe),
                                   Script(prelude + nth_of_union)};
  return scripts;
}

}  // namespace quire::redis
