-- Requests from a file, a line each: "GET /path", or "POST /path" of a small comment. The first argument is the file, the second
-- how many milliseconds a connection waits between two requests, on average.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "result.lua")

function init(arguments)
  local requests = {}
  local json = {["Content-Type"] = "application/json"}
  local body = '{"language":"en","rating":5,"author":"reader","title":"Fits","text":"I use it every day."}'
  for line in io.lines(arguments[1]) do
    local method, path = line:match("^(%S+) (%S+)$")
    table.insert(requests, method == "POST" and wrk.format(method, path, json, body) or wrk.format(method, path))
  end
  local pause = tonumber(arguments[2])
  if pause > 0 then
    function delay() return math.random(0, 2 * pause) end
  end
  request = take_turns(requests)
end

function done(summary, latency)
  write_result(summary, latency)
end
