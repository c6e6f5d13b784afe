-- wrk's summary as one line of JSON, for wrk.mjs. `more`: further members, each as text with a comma behind it.
function write_result(summary, latency, more)
  io.write(string.format(
    'RESULT {%s"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p99":%d,'
      .. '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}\n',
    more or "", summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    summary.errors.connect, summary.errors.read, summary.errors.write, summary.errors.status,
    summary.errors.timeout))
end

-- Gives the requests in turns.
function take_turns(requests)
  local sent = 0
  return function()
    sent = sent + 1
    return requests[sent % #requests + 1]
  end
end
