-- Requests from a file, a line each: "GET /path", or "POST /path" of a small comment. The first argument is the file, the second
-- how many milliseconds a connection waits between two requests, on average. The tail is as in wrk.lua.
local requests = {}
local sent = 0

function init(arguments)
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
end

function request()
  sent = sent + 1
  return requests[sent % #requests + 1]
end

function done(summary, latency)
  io.write(string.format(
    'RESULT {"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p99":%d,'
      .. '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    summary.errors.connect, summary.errors.read, summary.errors.write, summary.errors.status,
    summary.errors.timeout))
end
