#include "http/api/list_api.h"

#include <optional>
#include <string_view>
#include <vector>

#include "http/api/queue_parameters.h"
#include "http/found_words.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "model/document.h"

namespace quire::http {
namespace {

const Names list_of_all_parameters = {"status", "product", "since",   "until",    "language",
                                      "rating", "q",       "replied", "verified", "has_text",
                                      "sort",   "after",   "before",  "limit"};

void append_reports(std::string& out, const std::vector<Report>& reports) {
  out += ",\"reports\":[";
  for (const auto& report : reports) {
    if (out.back() == '}') out += ',';
    out += "{\"reason\":";
    append_json_string(out, report.reason);
    out += ",\"note\":";
    append_json_string(out, report.note);
    out += ",\"at\":\"" + time_text(report.at_ms) + '"';
    append_contact(out, report.contact);
    out += '}';
  }
  out += ']';
}

// `moderated`: with the whole moderation, the ETag and the reports.
std::string row_json(const Queued& row, bool moderated, FoundWords& words) {
  auto members = moderated ? Members::moderators : Members::shown;
  std::string out(document_json(encode_document(row.comment, members)));
  if (words.any()) append_matches(out, words, row.comment);
  if (!moderated) return out;
  out.back() = ',';  // in place of the closing brace
  out += "\"etag\":";
  append_json_string(out, tag_without_votes(row.comment));
  append_reports(out, row.reports);
  return out + "}";
}

// `words`: that were looked for; empty: none.
std::string page_json(const QueuePage& page, const std::optional<std::string>& next,
                      const std::optional<std::string>& previous, bool moderated,
                      const std::string& words) {
  FoundWords found(words);
  std::string out = "{\"comments\":[";
  for (const auto& row : page.rows)
    out.append(out.back() == '}' ? "," : "").append(row_json(row, moderated, found));
  out += "],\"page\":{";
  auto add = [&](std::string_view member) {
    if (out.back() != '{') out += ',';
    out += member;
  };
  if (next) add("\"next\":\"" + *next + "\"");
  if (previous) add("\"previous\":\"" + *previous + "\"");
  if (page.ended_early) add("\"ended_early\":true");
  out += "}";
  if (page.total) out += ",\"total\":" + std::to_string(*page.total);
  return out + "}";
}

std::optional<std::string> text_of(const std::optional<Ulid>& id) {
  return id ? std::optional(id->text()) : std::nullopt;
}

std::optional<std::string> sent(const Request& request, std::string_view name) {
  auto value = parameter(request, name);
  return value ? std::optional(std::string(*value)) : std::nullopt;
}

}  // namespace

std::string queue_json(const QueuePage& page, const std::string& words) {
  return page_json(page, text_of(page.next), text_of(page.previous), true, words);
}

Awaitable<Response> ListApi::list(const Request& request) {
  QueueQuestion all{.kind = QueueQuestion::Kind::any, .order = Order::newest_first};
  auto question = queue_question(request, list_of_all_parameters, std::move(all));
  if (!question) co_return problem(question.error());
  PageEdge edge{sent(request, "after"), sent(request, "before")};
  auto words = question->words;
  auto listed = co_await desk_.list(*request.permit, std::move(*question), std::move(edge));
  if (!listed) co_return problem(listed.error());
  const auto& [found, moderated] = *listed;
  co_return Response{.body = page_json(found.page, found.next, found.previous, moderated, words),
                     .caching = moderated ? Caching::none : Caching::revalidate};
}

}  // namespace quire::http
