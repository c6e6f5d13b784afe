-- wrk's summary as one line of JSON, for wrk.mjs. Paths named behind the address are asked for in turns; where there are none,
-- nothing here runs while requests are made.
function init(paths)
  if #paths == 0 then return end
  local requests, sent = {}, 0
  for _, path in ipairs(paths) do table.insert(requests, wrk.format("GET", path)) end
  function request()
    sent = sent + 1
    return requests[sent % #requests + 1]
  end
end

function done(summary, latency)
  io.write(string.format(
    'RESULT {"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p99":%d,'
      .. '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    summary.errors.connect, summary.errors.read, summary.errors.write, summary.errors.status,
    summary.errors.timeout))
end
