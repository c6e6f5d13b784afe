#include "http/api/moderation_api.h"

#include <boost/json.hpp>

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "http/access/customers.h"
#include "http/access/tokens.h"
#include "http/access/write_limits.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "http/query.h"
#include "loop/loop.h"
#include "model/comment_json.h"
#include "model/document.h"
#include "model/unique_json.h"
#include "model/validate.h"

namespace quire::http {
namespace {

namespace json = boost::json;

constexpr std::size_t max_depth = 4;

const Names queue_parameters = {"status", "product", "language", "rating",
                                "sort",   "after",   "before",   "limit"};

std::optional<Error> set_kind(QueueQuestion& question, std::string_view text) {
  using Kind = QueueQuestion::Kind;
  constexpr std::pair<std::string_view, Kind> kinds[] = {
      {"pending", Kind::pending}, {"rejected", Kind::rejected}, {"reported", Kind::reported}};
  for (const auto& [name, kind] : kinds) {
    if (name != text) continue;
    question.kind = kind;
    return {};
  }
  return invalid("status", "status is pending, rejected or reported.");
}

std::optional<Error> set(QueueQuestion& question, std::string_view name, const std::string& value) {
  if (name == "status") return set_kind(question, value);
  if (name == "product") question.product = value;
  if (name == "sort" && value != "created_at" && value != "-created_at")
    return invalid("sort", "sort is created_at, oldest first, or -created_at.");
  if (name == "sort")
    question.order = value == "created_at" ? Order::oldest_first : Order::newest_first;
  if (name == "after" && !(question.after = Ulid::parse(value)))
    return invalid("after", "after is the `next` of an earlier answer.");
  if (name == "before" && !(question.before = Ulid::parse(value)))
    return invalid("before", "before is the `previous` of an earlier answer.");
  if (name == "limit") {
    auto limit = number("limit", value, 1, limits::page_max);
    if (!limit) return limit.error();
    question.limit = *limit;
  }
  return {};
}

Result<QueueQuestion> queue_question(const Request& request) {
  auto repeatable = [](std::string_view name) { return name == "language" || name == "rating"; };
  if (auto error = allow_only(request, queue_parameters, repeatable)) return std::move(*error);
  QueueQuestion question;
  Query filter;
  for (const auto& [name, value] : request.parameters) {
    auto error = repeatable(name) ? add_filter(filter, name, value) : set(question, name, value);
    if (error) return std::move(*error);
  }
  if (question.after && question.before)
    return invalid("before", "after and before exclude each other. Leave one of them out.");
  question.languages = std::move(filter.languages);
  question.ratings = std::move(filter.ratings);
  question.product_prefix = request.token ? request.token->product : std::string();
  return question;
}

// All decisions of a request are made at once, so there is no later one that counts.
Error decided_twice() {
  return invalid_comment({{"id", "is in this request already: send one decision on a comment"}});
}

std::string with_problem(const Request& request, const json::value& decision, const Error& error) {
  std::string out = "{\"id\":";
  const auto* object = decision.if_object();
  const auto* id = object ? object->if_contains("id") : nullptr;
  append_json_string(out, id && id->is_string() ? std::string_view(id->get_string()) : "");
  auto response = problem(error);
  put_below(request.path, response);
  return out + ",\"problem\":" + response.body + "}";
}

}  // namespace

std::string queued_json(const Comment& comment, const std::vector<Report>& reports) {
  std::string out(document_json(encode_document(comment, Members::moderators)));
  out.back() = ',';  // in place of the closing brace
  out += "\"etag\":";
  append_json_string(out, tag_without_votes(comment));
  out += ",\"reports\":[";
  for (const auto& report : reports) {
    if (out.back() == '}') out += ',';
    out += "{\"reason\":";
    append_json_string(out, report.reason);
    out += ",\"note\":";
    append_json_string(out, report.note);
    out += ",\"at\":\"" + time_text(report.at_ms) + "\"}";
  }
  return out + "]}";
}

Awaitable<Response> ModerationApi::queue(const Request& request) {
  auto question = queue_question(request);
  if (!question) co_return problem(question.error());
  auto page = co_await comments_.queue(std::move(*question));
  if (!page) co_return problem(page.error());
  Response response{.body = "{\"comments\":["};
  for (const auto& [comment, reports] : page->rows) {
    if (response.body.back() == '}') response.body += ',';
    response.body += queued_json(comment, reports);
  }
  response.body += "],\"page\":{";
  if (page->next) response.body += "\"next\":\"" + page->next->text() + "\"";
  if (page->next && page->previous) response.body += ',';
  if (page->previous) response.body += "\"previous\":\"" + page->previous->text() + "\"";
  response.body += "}";
  if (page->total) response.body += ",\"total\":" + std::to_string(*page->total);
  response.body += "}";
  co_return response;
}

Result<ModerationApi::Decision> ModerationApi::decision_of(const json::value& value) {
  auto wrong = [] {
    return invalid_comment({{"decisions", "are objects of id, status, reason, note and if_match"}});
  };
  const auto* object = value.if_object();
  if (!object) return wrong();
  Decision decision;
  json::object patch;
  for (const auto& [name, member] : *object) {
    if (name != "id" && name != "if_match")
      patch[name] = member;
    else if (!member.is_string())
      return wrong();
  }
  const auto* id = object->if_contains("id");
  auto parsed = id ? parse_id(std::string(id->get_string())) : wrong();
  if (!parsed) return parsed.error();
  decision.id = *parsed;
  if (const auto* tag = object->if_contains("if_match")) {
    if (tag->get_string() != "*") decision.condition.tags.emplace_back(tag->get_string());
  }
  auto read = parse_patch(json::serialize(patch));
  if (!read) return read.error();
  if (!read->status || read->edits())
    return invalid_comment({{"status", "is needed: published, pending or rejected"}});
  decision.patch = std::move(*read);
  return decision;
}

Awaitable<Response> ModerationApi::decide(const Request& request) {
  auto body = parse_unique(request.body, max_depth);
  if (!body) co_return problem(body.error());
  const auto* object = body->if_object();
  const auto* list = object ? object->if_contains("decisions") : nullptr;
  if (!list || !list->is_array() || object->size() != 1 || list->get_array().empty() ||
      list->get_array().size() > max_decisions) {
    co_return problem(invalid_comment({{"decisions", "must be an array of 1 to 100 decisions"}}));
  }
  if (auto ready = ready_to_record(audit_); !ready) co_return problem(ready.error());
  std::vector<Awaitable<std::string>> works;
  std::set<Ulid> ids;
  for (const auto& each : list->get_array()) {
    auto decision = decision_of(each);
    if (decision && !ids.insert(decision->id).second) decision = decided_twice();
    works.push_back(make(request, each, std::move(decision)));
  }
  Response response{.body = "{\"decisions\":["};
  for (auto& each : co_await all(std::move(works))) {
    if (response.body.back() == '}') response.body += ',';
    response.body += each;
  }
  response.body += "]}";
  co_return response;
}

Awaitable<std::string> ModerationApi::make(const Request& request, const json::value& value,
                                           Result<Decision> decision) {
  if (!decision) co_return with_problem(request, value, decision.error());
  auto& [id, patch, condition] = *decision;
  condition.product = request.token->product;
  auto edited = co_await comments_.patch(id, patch, std::move(condition));
  if (!edited) co_return with_problem(request, value, edited.error());
  record(audit_, metrics_, request, id, patch, *edited);
  auto comment = decode_document(edited->after).value();
  comment.moderation = edited->moderation;
  std::string out = "{\"id\":\"" + id.text() + "\",\"comment\":";
  out += document_json(encode_document(comment, Members::moderators));
  co_return out + "}";
}

// Who sends a report, as far as it is known without an identity.
std::array<std::uint8_t, 16> ModerationApi::network_of(const Request& request) const {
  auto mac = hmac_sha256({reinterpret_cast<const char*>(person_key_.data()), person_key_.size()},
                         limit_name(request.client));
  std::array<std::uint8_t, 16> person;
  std::copy_n(mac.begin(), person.size(), person.begin());
  return person;
}

Awaitable<Response> ModerationApi::report(const Request& request) {
  auto id = parse_id(request.captures[0]);
  if (!id) co_return problem(id.error());
  auto report = parse_report(request.body);
  if (!report) co_return problem(report.error());
  report->at_ms = system_ms();
  if (request.customer)
    report->person = request.customer->hash.person();
  else
    report->person = network_of(request);
  auto hold_at = shop_ ? static_cast<std::uint64_t>(shop_->shop()->reports) : 0;
  auto ready = hold_at > 0 ? ready_to_record(audit_) : Status(Done{});
  if (!ready) co_return problem(ready.error());
  auto held = co_await comments_.report(*id, std::move(*report), hold_at);
  if (!held) co_return problem(held.error());
  if (*held) record_hold(audit_, request, **held);
  co_return Response{.status = 202, .body = "{}"};
}

}  // namespace quire::http
