#include "http/api/moderation_api.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/limits.h"
#include "base/try.h"
#include "http/api/list_api.h"
#include "http/api/queue_parameters.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "model/comment_json.h"
#include "model/document.h"
#include "model/unique_json.h"
#include "model/validate.h"

namespace quire::http {
namespace {

namespace json = boost::json;

constexpr std::size_t max_depth = 4;

const Names queue_parameters = {"status", "product", "language", "rating", "q",
                                "sort",   "after",   "before",   "limit"};

// Sets the comment that this parameter names.
Status set_edge(std::optional<Ulid>& edge, const Request& request, std::string_view name,
                std::string_view member) {
  auto text = parameter(request, name);
  if (text && !(edge = Ulid::parse(*text)))
    return invalid(name, fmt::format("{} is the `{}` of an earlier answer.", name, member));
  return Done{};
}

Result<QueueQuestion> asked_queue(const Request& request) {
  TRY(auto question, queue_question(request, queue_parameters));
  TRY_DONE(set_edge(question.after, request, "after", "next"));
  TRY_DONE(set_edge(question.before, request, "before", "previous"));
  if (question.after && question.before)
    return invalid("before", "after and before exclude each other. Leave one of them out.");
  return question;
}

std::string_view id_in(const json::value& decision) {
  const auto* object = decision.if_object();
  const auto* id = object ? object->if_contains("id") : nullptr;
  return id && id->is_string() ? std::string_view(id->get_string()) : "";
}

Result<desk::Decision> decision_of(const json::value& value) {
  auto wrong = [] {
    return invalid_comment({{"decisions", "are objects of id, status, reason, note and if_match"}});
  };
  const auto* object = value.if_object();
  if (!object) return wrong();
  desk::Decision decision;
  json::object patch;
  for (const auto& [name, member] : *object) {
    if (name != "id" && name != "if_match")
      patch[name] = member;
    else if (!member.is_string())
      return wrong();
  }
  const auto* id = object->if_contains("id");
  TRY(decision.id, id ? parse_id(std::string(id->get_string())) : wrong());
  if (const auto* tag = object->if_contains("if_match"))
    if (tag->get_string() != "*") decision.tags.emplace_back(tag->get_string());
  TRY(auto read, parse_patch(json::serialize(patch)));
  bool notes = read.note && !read.reason;
  if (!(read.status || notes) || read.edits())
    return invalid_comment(
        {{"status", "is needed: published, pending or rejected; only a note goes without"}});
  decision.patch = std::move(read);
  return decision;
}

}  // namespace

std::string decided_json(std::string_view id, const Result<Edited>& edited, std::string_view path) {
  std::string out = "{\"id\":";
  append_json_string(out, id);
  if (!edited) {
    auto response = problem(edited.error());
    put_below(path, response);
    return out + ",\"problem\":" + response.body + "}";
  }
  auto comment = decode_document(edited->after).value();
  comment.moderation = edited->moderation;
  out += ",\"comment\":";
  out += document_json(encode_document(comment, Members::moderators));
  return out + "}";
}

Awaitable<Response> ModerationApi::queue(const Request& request) {
  auto question = asked_queue(request);
  if (!question) co_return problem(question.error());
  auto words = question->words;
  auto page = co_await desk_.queue(*request.permit, std::move(*question));
  if (!page) co_return problem(page.error());
  co_return Response{.body = queue_json(*page, words)};
}

Awaitable<Response> ModerationApi::decide(const Request& request) {
  auto body = parse_unique(request.body, max_depth);
  if (!body) co_return problem(body.error());
  const auto* object = body->if_object();
  const auto* list = object ? object->if_contains("decisions") : nullptr;
  if (!list || !list->is_array() || object->size() != 1 || list->get_array().empty() ||
      list->get_array().size() > desk::Desk::max_decisions)
    co_return problem(invalid_comment({{"decisions", "must be an array of 1 to 100 decisions"}}));
  std::vector<Result<desk::Decision>> decisions;
  for (const auto& each : list->get_array()) decisions.push_back(decision_of(each));
  auto decided = co_await desk_.decide(*request.permit, std::move(decisions));
  if (!decided) co_return problem(decided.error());
  Response response{.body = "{\"decisions\":["};
  for (std::size_t i = 0; i < decided->made.size(); ++i) {
    if (i > 0) response.body += ',';
    response.body += decided_json(id_in(list->get_array()[i]), decided->made[i], request.path);
  }
  response.body += ']';
  if (!decided->undo.empty()) response.body += ",\"undo\":\"" + decided->undo + '"';
  response.body += '}';
  co_return response;
}

Awaitable<Response> ModerationApi::undo(const Request& request) {
  auto body = parse_unique(request.body, max_depth);
  if (!body) co_return problem(body.error());
  const auto* object = body->if_object();
  const auto* name = object ? object->if_contains("undo") : nullptr;
  if (!name || !name->is_string() || object->size() != 1)
    co_return problem(invalid_comment({{"undo", "must be the `undo` of an answer, and is alone"}}));
  auto undone = co_await desk_.undo(*request.permit, std::string(name->get_string()));
  if (!undone) co_return problem(undone.error());
  Response response{.body = "{\"decisions\":["};
  for (std::size_t i = 0; i < undone->made.size(); ++i) {
    if (i > 0) response.body += ',';
    response.body += decided_json(undone->ids[i].text(), undone->made[i], request.path);
  }
  response.body += "]}";
  co_return response;
}

Awaitable<Response> ModerationApi::report(const Request& request) {
  auto id = parse_id(request.captures[0]);
  if (!id) co_return problem(id.error());
  auto report = parse_report(request.body);
  if (!report) co_return problem(report.error());
  auto taken = co_await desk_.report(*request.permit, *id, std::move(*report));
  if (!taken) co_return problem(taken.error());
  co_return Response{.status = 202, .body = "{}"};
}

}  // namespace quire::http
