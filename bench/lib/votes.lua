-- Votes of customers: each request is of a token and an address of the file, "/path TOKEN" a line, in turns; counts the answers that
-- are 200. wrk has one thread.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "result.lua")

local requests = {}
taken = 0
refused = 0
threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  for line in io.lines(args[1]) do
    local path, token = line:match("^(%S+) (%S+)$")
    local headers = {["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. token}
    for _, vote in ipairs({"helpful", "unhelpful"}) do
      table.insert(requests, wrk.format("PUT", path, headers, '{"vote":"' .. vote .. '"}'))
    end
  end
end

local sent = 0
local half = nil
-- All votes are helpful at first, then all change, so that each request changes something.
function request()
  half = half or #requests / 2
  local at = sent % half
  local vote = math.floor(sent / half) % 2
  sent = sent + 1
  return requests[2 * at + 1 + vote]
end

function response(status)
  if status == 200 then taken = taken + 1 else refused = refused + 1 end
end

function done(summary, latency)
  local all, others = 0, 0
  for _, thread in ipairs(threads) do
    all = all + thread:get("taken")
    others = others + thread:get("refused")
  end
  write_result(summary, latency, string.format('"taken":%d,"refused":%d,', all, others))
end
