// The JSON interface: comments of a product, one comment.
#include "base/clock.h"
#include "base/limits.h"
#include "base/percent.h"
#include "http/application.h"
#include "http/client_address.h"
#include "http/page_json.h"
#include "http/parameters.h"
#include "http/preconditions.h"
#include "http/problem.h"
#include "model/comment_json.h"
#include "model/document.h"

namespace quire::http {
namespace {

std::string comments_address(const std::string& product) {
  return "/v1/products/" + percent_encode(product) + "/comments";
}

void add_links(Response& response, const Query& query, const FoundPage& page) {
  std::string first = page_address(comments_address(query.product), query);
  char separator = first.find('?') == first.npos ? '?' : '&';
  std::string links;
  links.reserve(3 * (first.size() + 80));
  links.append("<").append(first).append(">; rel=\"first\"");
  auto add = [&](std::string_view relation, std::string_view name, std::string_view place) {
    links.append(", <").append(first);
    if (!place.empty()) links.append(1, separator).append(name).append("=").append(place);
    links.append(">; rel=\"").append(relation).append("\"");
  };
  if (page.previous) add("prev", "before", *page.previous);
  if (page.next) add("next", "after", *page.next);
  if (page.number) {
    auto last = page.number->count;
    add("last", "page", last == 1 ? "" : std::to_string(last));
  }
  response.add("Link", links);
  response.add("X-Total-Count", std::to_string(page.total));
}

// The states of a comment that a change may meet.
Result<Condition> condition_of(const Request& request) {
  auto tags = if_match(*request.headers);
  if (!tags) return tags.error();
  return Condition{std::move(*tags), request.token ? request.token->product : std::string()};
}

// The idempotency key, if there is one. It belongs to its sender, which is a token, or in a demo a
// client.
Result<std::optional<std::string>> key_of(const Request& request) {
  auto sent = request.headers->find("Idempotency-Key");
  if (sent == request.headers->end()) return std::optional<std::string>();
  std::string key(sent->value());
  if (key.empty() || key.size() > limits::idempotency_key_bytes) {
    return Error{ErrorCode::invalid_parameter, "An Idempotency-Key has 1 to 256 characters.",
                 "Idempotency-Key"};
  }
  return std::optional(key + "\n" +
                       (request.token ? request.token->hash : limit_name(request.client)));
}

}  // namespace

void Application::count(const FoundPage& page) {
  metrics_.entries_read->Increment(static_cast<double>(page.read));
  metrics_.entries_discarded->Increment(static_cast<double>(page.discarded));
  metrics_.store_requests->Increment(static_cast<double>(page.requests));
}

Awaitable<Response> Application::list_comments(const Request& request, const Captures& captures) {
  auto query = page_query(request, captures[0]);
  if (!query) co_return problem(query.error());
  auto page = co_await comments_.page(*query);
  if (!page) co_return problem(page.error());
  count(*page);
  auto body = co_await page_json(*page, *query, request.room());
  Response response{.body = std::move(body),
                    .caching = query->explain ? Caching::none : Caching::revalidate};
  add_links(response, *query, *page);
  co_return response;
}

Awaitable<Response> Application::post_comment(const Request& request, const Captures& captures) {
  auto draft = parse_draft(request.body, captures[0]);
  if (!draft) co_return problem(draft.error());
  if (draft->created_ms && request.token && !request.token->may(Scope::import)) {
    co_return problem("forbidden",
                      "created_at needs a token with the scope \"import\". Leave it out: the "
                      "comment is then of now.");
  }
  auto key = key_of(request);
  if (!key) co_return problem(key.error());
  auto document = co_await comments_.post(std::move(*draft), std::move(*key));
  if (!document) co_return problem(document.error());
  Response response{.status = 201, .body = std::string(document_json(*document))};
  response.add("Location", "/v1/comments/" + decode_document(*document).value().id.text());
  response.add("ETag", document_tag(*document));
  co_return response;
}

Awaitable<Response> Application::get_comment(const Request& request, const Captures& captures) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  auto id = parse_id(captures[0]);
  if (!id) co_return problem(id.error());
  auto found = co_await comments_.get(*id);
  if (!found) co_return problem(found.error());
  co_return Response{.body = std::string(document_json(found->document)),
                     .caching = Caching::revalidate,
                     .tag = document_tag(found->document)};
}

Awaitable<Response> Application::comment_place(const Request& request, const Captures& captures) {
  auto query = filter_query(request, {"language", "rating", "limit", "sort"});
  if (!query) co_return problem(query.error());
  auto id = parse_id(captures[0]);
  if (!id) co_return problem(id.error());
  auto place = co_await comments_.page_of(*id, *query);
  if (!place) co_return problem(place.error());
  Response response{.caching = Caching::revalidate};
  response.body = "{\"number\":" + std::to_string(place->number) + ",\"href\":";
  append_json_string(response.body, page_address(comments_address(place->product), *query,
                                                 "page=" + std::to_string(place->number)));
  response.body += "}";
  co_return response;
}

Awaitable<Response> Application::patch_comment(const Request& request, const Captures& captures) {
  auto id = parse_id(captures[0]);
  if (!id) co_return problem(id.error());
  auto patch = parse_patch(request.body);
  if (!patch) co_return problem(patch.error());
  auto condition = condition_of(request);
  if (!condition) co_return problem(condition.error());
  if (auto ready = audit_ready(); !ready) co_return problem(ready.error());
  auto edited = co_await comments_.patch(*id, std::move(*patch), std::move(*condition));
  if (!edited) co_return problem(edited.error());
  if (edited->before != edited->after) audit(request, *id, edited->before, edited->after);
  Response response{.body = std::string(document_json(edited->after))};
  response.add("ETag", document_tag(edited->after));
  co_return response;
}

Awaitable<Response> Application::delete_comment(const Request& request, const Captures& captures) {
  auto id = parse_id(captures[0]);
  if (!id) co_return problem(id.error());
  auto condition = condition_of(request);
  if (!condition) co_return problem(condition.error());
  if (auto ready = audit_ready(); !ready) co_return problem(ready.error());
  auto removed = co_await comments_.remove(*id, std::move(*condition));
  if (!removed) co_return problem(removed.error());
  audit(request, *id, *removed, {});
  co_return Response{.status = 204};
}

Status Application::audit_ready() const {
  if (options_.audit) return options_.audit->ready();
  return Done{};
}

void Application::audit(const Request& request, const Ulid& id, std::string_view before,
                        std::string_view after) const {
  if (!options_.audit) return;
  auto was = decode_document(before), is = decode_document(after);
  if (!was) was.emplace().id = id;
  auto client = request.client.to_string();
  AuditEntry entry{system_ms(), request.id, request.token->label(), client};
  options_.audit->add(audit_line(entry, *was, is ? &*is : nullptr));
}

}  // namespace quire::http
