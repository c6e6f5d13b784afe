#include "http/api/changes_api.h"

#include <charconv>
#include <chrono>

#include "base/iso_time.h"
#include "base/try.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "model/comment_json.h"
#include "model/document.h"

namespace quire::http {
namespace {

constexpr std::size_t max_wait_s = 30;
constexpr std::size_t max_events = 1000;
const Names changes_parameters = {"after", "wait", "limit"};

Result<EventMark> mark_of(std::string_view text) {
  EventMark mark = 0;
  const char* end = text.data() + text.size();
  auto [stop, failed] = std::from_chars(text.data(), end, mark);
  if (failed == std::errc{} && stop == end) return mark;
  return invalid("after",
                 "after is the mark of an earlier answer's last line, or now. Without it the log "
                 "is told from its beginning.");
}

Result<ChangesQuestion> question_of(const Request& request) {
  TRY_DONE(allow_only(request, changes_parameters));
  ChangesQuestion question;
  std::size_t wait = 0;
  for (const auto& [name, value] : request.parameters) {
    if (name == "after" && value != "now") {
      TRY(question.after, mark_of(value));
    } else if (name == "wait") {
      TRY(wait, number(name, value, 0, max_wait_s));
    } else if (name == "limit") {
      TRY(question.limit, number(name, value, 1, max_events));
    }
  }
  question.until = std::chrono::steady_clock::now() + std::chrono::seconds(wait);
  return question;
}

std::string mark_line(EventMark mark) {
  return "{\"mark\":" + std::to_string(mark) + "}\n";
}

std::string line_of(const ToldEvent& told) {
  const auto& [event, comment] = told;
  std::string out = "{\"mark\":" + std::to_string(event.mark);
  out.append(",\"time\":\"").append(time_text(event.time_ms));
  out.append("\",\"type\":\"").append(event_name(event.type)).append("\"");
  if (event.fresh) out += ",\"new\":true";
  if (event.imported) out += ",\"imported\":true";
  if (comment) {
    out.append(",\"comment\":");
    out.append(document_json(encode_document(*comment, Members::moderators)));
  } else if (event.type != EventType::erased) {
    out.append(",\"id\":\"").append(event.id.text()).append("\",\"product\":");
    append_json_string(out, event.product);
  }
  return out + "}\n";
}

Response lines(std::string body) {
  return {.type = "application/jsonl", .body = std::move(body), .own = true};
}

Response too_late() {
  return problem("too-late",
                 "The log does not have this mark, so changes are missing. Ask for after=now, "
                 "export the comments anew, and go on from that mark.",
                 "after");
}

}  // namespace

Awaitable<Response> ChangesApi::list(const Request& request) {
  auto question = question_of(request);
  if (!question) co_return problem(question.error());
  if (parameter(request, "after") == "now") {
    auto newest = co_await desk_.newest_change(*request.permit);
    if (!newest) co_return problem(newest.error());
    co_return lines(mark_line(*newest));
  }
  auto found = co_await desk_.changes(*request.permit, std::move(*question));
  if (!found) co_return problem(found.error());
  if (!*found) co_return too_late();
  const auto& changes = **found;
  std::string body;
  for (const auto& each : changes.told) body += line_of(each);
  // The events behind the last one that is told are of other products, or are told no more.
  bool ends_there = !changes.told.empty() && changes.told.back().event.mark == changes.last;
  if (!ends_there) body += mark_line(changes.last);
  co_return lines(std::move(body));
}

}  // namespace quire::http
