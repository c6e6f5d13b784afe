-- wrk's summary as one line of JSON, for wrk.mjs. Nothing here runs while requests are made.
function done(summary, latency)
  io.write(string.format(
    'RESULT {"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p99":%d,'
      .. '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    summary.errors.connect, summary.errors.read, summary.errors.write, summary.errors.status,
    summary.errors.timeout))
end
