// The JSON interface: comments of a product, one comment.
#include <spdlog/spdlog.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/percent.h"
#include "http/application.h"
#include "http/page_json.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "model/comment_json.h"
#include "model/document.h"
#include "model/validate.h"

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

std::string_view media_type(const Request& request) {
  auto type = request.header(Field::content_type);
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ') type.remove_suffix(1);
  return type;
}

// The bearer token, if there is one.
std::string_view credentials(const Request& request) {
  constexpr std::string_view scheme = "Bearer ";
  auto sent = request.header(Field::authorization);
  if (!boost::beast::iequals(sent.substr(0, scheme.size()), scheme)) return {};
  return sent.substr(scheme.size());
}

// Whether a browser, if it is one, sends this for a page of ours: a page from elsewhere has another
// Origin, or, where its name was made to lead here, another Host.
bool from_this_machine(const Request& request) {
  auto host = request.header(Field::host);
  auto name = host.substr(0, host.starts_with('[') ? host.find(']') + 1 : host.find(':'));
  bool loopback =
      name.empty() || name == "localhost" || name == "[::1]" || name.starts_with("127.");
  auto origin = request.header(Field::origin);
  return loopback && (origin.empty() || origin == "http://" + std::string(host));
}

Response wrong_type(std::string_view wanted) {
  return problem("unsupported-media-type",
                 "Send the body with Content-Type: " + std::string(wanted) + ".");
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

std::optional<Response> Application::check_post(const Request& request, const Captures& captures) {
  if (auto error = allow_only(request, {})) return problem(*error);
  if (auto refused = forbid(request)) return refused;
  if (!boost::beast::iequals(media_type(request), "application/json"))
    return wrong_type("application/json");
  if (auto error = check_product(captures[0])) return problem(*error);
  return limit_posts(request, captures[0]);
}

Awaitable<Response> Application::post_comment(const Request& request, const Captures& captures) {
  auto draft = parse_draft(request.body, captures[0]);
  if (!draft) co_return problem(draft.error());
  std::optional<std::string> key;
  if (auto sent = request.headers->find("Idempotency-Key"); sent != request.headers->end()) {
    key = std::string(sent->value());
    if (key->empty() || key->size() > limits::idempotency_key_bytes) {
      co_return problem("invalid-parameter", "An Idempotency-Key has 1 to 256 characters.",
                        "Idempotency-Key");
    }
  }
  // Whoever has a token is one sender, whichever token it is; in a demo each client is.
  if (key && credentials(request).empty()) *key += "\n" + request.client;
  auto document = co_await comments_.post(std::move(*draft), std::move(key));
  if (!document) co_return problem(document.error());
  Response response{.status = 201, .body = std::string(document_json(*document))};
  response.add("Location", "/v1/comments/" + decode_document(*document).value().id.text());
  co_return response;
}

Awaitable<Response> Application::get_comment(const Request& request, const Captures& captures) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  auto id = parse_id(captures[0]);
  if (!id) co_return problem(id.error());
  auto found = co_await comments_.get(*id);
  if (!found) co_return problem(found.error());
  co_return Response{.body = std::string(document_json(found->document)),
                     .caching = Caching::revalidate};
}

Awaitable<Response> Application::comment_place(const Request& request, const Captures& captures) {
  auto query = filter_query(request, {"language", "rating", "limit", "sort"});
  if (!query) co_return problem(query.error());
  auto id = parse_id(captures[0]);
  if (!id) co_return problem(id.error());
  auto place = co_await comments_.place(*id, *query);
  if (!place) co_return problem(place.error());
  Response response{.caching = Caching::revalidate};
  response.body = "{\"number\":" + std::to_string(place->number) + ",\"href\":";
  append_json_string(response.body, page_address(comments_address(place->product), *query,
                                                 "page=" + std::to_string(place->number)));
  response.body += "}";
  co_return response;
}

std::optional<Response> Application::check_patch(const Request& request, const Captures&) {
  if (auto error = allow_only(request, {})) return problem(*error);
  if (auto refused = forbid(request)) return refused;
  auto type = media_type(request);
  if (!boost::beast::iequals(type, "application/merge-patch+json") &&
      !boost::beast::iequals(type, "application/json")) {
    return wrong_type("application/merge-patch+json");
  }
  return {};
}

Awaitable<Response> Application::patch_comment(const Request& request, const Captures& captures) {
  auto id = parse_id(captures[0]);
  if (!id) co_return problem(id.error());
  auto patch = parse_patch(request.body);
  if (!patch) co_return problem(patch.error());
  auto document = co_await comments_.patch(*id, std::move(*patch));
  if (!document) co_return problem(document.error());
  co_return Response{.body = std::string(document_json(*document))};
}

std::optional<Response> Application::check_delete(const Request& request, const Captures&) {
  if (auto error = allow_only(request, {})) return problem(*error);
  return forbid(request);
}

Awaitable<Response> Application::delete_comment(const Request&, const Captures& captures) {
  auto id = parse_id(captures[0]);
  if (!id) co_return problem(id.error());
  auto removed = co_await comments_.remove(*id);
  if (!removed) co_return problem(removed.error());
  co_return Response{.status = 204};
}

std::optional<Response> Application::forbid(const Request& request) const {
  if (auto token = credentials(request); !token.empty() && options_.tokens.accept(token)) return {};
  bool anonymous = request.header(Field::authorization).empty();
  if (options_.demo && anonymous && request.method == Verb::post) {
    if (from_this_machine(request)) return {};
    return problem("forbidden",
                   "In a demo only pages and programs of this machine may post: Host, and Origin "
                   "if there is one, must name it.");
  }
  if (options_.tokens.empty() && !options_.demo) {
    return problem("forbidden", "This server takes no writes: it was started without --tokens.");
  }
  auto response = problem(
      "unauthorized", "Writing needs Authorization: Bearer TOKEN, with a token of this server.");
  response.add("WWW-Authenticate", "Bearer realm=\"quire\"");
  return response;
}

std::optional<Response> Application::limit_posts(const Request& request,
                                                 const std::string& product) {
  auto now = system_ms();
  auto wait = by_client_.take(request.client, now);
  if (!wait) wait = by_product_.take(product, now);
  if (!wait) return {};
  auto response =
      problem("rate-limited", "Too many posts. Try again in " + std::to_string(*wait) + " s.");
  response.add("Retry-After", std::to_string(*wait));
  return response;
}

}  // namespace quire::http
