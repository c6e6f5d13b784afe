-- Asks for the paths named behind the address in turns; where there are none, nothing here runs while requests are made.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "result.lua")

function init(paths)
  if #paths == 0 then return end
  local requests = {}
  for _, path in ipairs(paths) do table.insert(requests, wrk.format("GET", path)) end
  request = take_turns(requests)
end

function done(summary, latency)
  write_result(summary, latency)
end
