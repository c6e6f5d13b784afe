-- Posts of small comments in changing languages and ratings; counts the answers that are 201.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "result.lua")

local languages = {"en", "en", "en", "en", "en", "en", "de", "de", "fr", "es", "ja", "und"}
local ratings = {5, 5, 5, 5, 5, 5, 4, 4, 3, 2, 1}
local requests = {}
created = 0
refused = 0
threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init()
  wrk.headers["Content-Type"] = "application/json"
  for i, language in ipairs(languages) do
    for j, rating in ipairs(ratings) do
      local body = string.format(
        '{"language":"%s","rating":%d,"author":"reader %d","title":"Fits","text":"I use it every day, number %d."}',
        language, rating, i, j)
      table.insert(requests, wrk.format("POST", wrk.path, wrk.headers, body))
    end
  end
end

request = take_turns(requests)

function response(status)
  if status == 201 then created = created + 1 else refused = refused + 1 end
end

function done(summary, latency)
  local all, others = 0, 0
  for _, thread in ipairs(threads) do
    all = all + thread:get("created")
    others = others + thread:get("refused")
  end
  write_result(summary, latency, string.format('"created":%d,"refused":%d,', all, others))
end
