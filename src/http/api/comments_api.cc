#include "http/api/comments_api.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/limits.h"
#include "base/text.h"
#include "http/accept.h"
#include "http/api/json.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "http/query.h"
#include "model/comment_json.h"
#include "model/document.h"

namespace quire::http {

namespace {

Error no_list() {
  return {ErrorCode::invalid_parameter,
          "If-Match is *, or one or more ETags in quotes with commas between, as a GET gave them.",
          "If-Match"};
}

void skip(std::string_view& text, std::string_view letters) {
  text.remove_prefix(std::min(text.find_first_not_of(letters), text.size()));
}

// Removes the tag at the front of the text and returns it.
std::optional<std::string> take_tag(std::string_view& text) {
  std::size_t open = text.starts_with("W/") ? 2 : 0;
  if (text.size() <= open || text[open] != '"') return {};
  auto close = text.find('"', open + 1);
  if (close == text.npos) return {};
  auto tag = text.substr(0, close + 1);
  bool spaced = std::any_of(tag.begin(), tag.end(), [](char c) { return c == ' ' || c == '\t'; });
  if (spaced) return {};
  text.remove_prefix(tag.size());
  return without_coding(tag);
}

const Names place_parameters = {"language", "rating", "q", "limit", "sort"};

std::string comments_address(const Request& request, const std::string& product) {
  return std::string(request.path) + "/v1/products/" + percent_encode(product) + "/comments";
}

void add_links(Response& response, const Request& request, const Query& query,
               const FoundPage& page) {
  std::string first = page_address(comments_address(request, query.product), query);
  char separator = first.find('?') == first.npos ? '?' : '&';
  std::string links;
  links.reserve(3 * (first.size() + 80));
  links.append("<").append(first).append(">; rel=\"first\"");
  auto add = [&](std::string_view relation, std::string_view name, std::string_view position) {
    links.append(", <").append(first);
    if (!position.empty()) links.append(1, separator).append(name).append("=").append(position);
    links.append(">; rel=\"").append(relation).append("\"");
  };
  if (page.previous) add("prev", "before", *page.previous);
  if (page.next) add("next", "after", *page.next);
  if (page.number) {
    auto last = page.number->count;
    add("last", "page", last == 1 ? "" : std::to_string(last));
  }
  response.add("Link", links);
  if (page.total) response.add("X-Total-Count", std::to_string(*page.total));
}

Result<std::optional<std::string>> key_of(const Request& request) {
  auto sent = request.headers->find("Idempotency-Key");
  if (sent == request.headers->end()) return std::optional<std::string>();
  std::string key(sent->value());
  if (!key.empty() && key.size() <= limits::idempotency_key_bytes) return std::optional(key);
  return Error{ErrorCode::invalid_parameter, "An Idempotency-Key has 1 to 256 bytes.",
               "Idempotency-Key"};
}

bool moderates(const Request& request) {
  return request.permit->writer().may(desk::Scope::moderate);
}

// With everything that is known of it.
std::string for_moderators(const Comment& comment) {
  return std::string(document_json(encode_document(comment, Members::moderators)));
}

}  // namespace

Result<std::vector<std::string>> if_match(const boost::beast::http::fields& headers) {
  std::vector<std::string> tags;
  auto [line, end] = headers.equal_range("If-Match");
  if (line == end) return tags;
  if (std::next(line) == end && line->value() == "*") return tags;
  for (; line != end; ++line) {
    std::string_view text(line->value().data(), line->value().size());
    for (skip(text, " \t,"); !text.empty(); skip(text, " \t,")) {
      auto tag = take_tag(text);
      if (!tag) return no_list();
      tags.push_back(std::move(*tag));
      skip(text, " \t");
      if (!text.empty() && text.front() != ',') return no_list();
    }
  }
  if (tags.empty()) return no_list();
  return tags;
}

Awaitable<Response> FacetsApi::list(const Request& request) {
  if (auto allowed = allow_only(request, {}); !allowed) co_return problem(allowed.error());
  auto facets = co_await comments_.facets();
  if (!facets) co_return problem(facets.error());
  co_return Response{.body = facets_json(*facets), .caching = Caching::revalidate};
}

Awaitable<Response> CommentsApi::list(const Request& request) {
  auto query = page_query(request, request.captures[0]);
  if (!query) co_return problem(query.error());
  auto chosen = co_await choose_languages(comments_, request, *query);
  if (!chosen) co_return problem(chosen.error());
  auto page = co_await comments_.page(*query);
  if (!page) co_return co_await filter_problem(comments_, page.error(), page_parameters);
  metrics_.found(*page);
  auto body = co_await page_json(*page, *query, request.take_spare());
  Response response{.body = std::move(body),
                    .caching = query->explain ? Caching::none : Caching::revalidate};
  add_links(response, request, *query, *page);
  if (*chosen) add_choice(response, request, *query);
  co_return response;
}

Awaitable<Response> CommentsApi::post(const Request& request) {
  auto draft = parse_draft(request.body, request.captures[0]);
  if (!draft) co_return problem(draft.error());
  auto key = key_of(request);
  if (!key) co_return problem(key.error());
  auto posted = co_await desk_.post(*request.permit, std::move(*draft), std::move(*key));
  if (!posted) co_return problem(posted.error());
  const auto& comment = posted->comment;
  Response response{.status = comment.published() ? 201u : 202u,
                    .body = std::string(document_json(posted->document))};
  if (moderates(request)) response.body = for_moderators(comment);
  response.add("Location", std::string(request.path) + "/v1/comments/" + comment.id.text());
  response.add("ETag", document_tag(posted->document));
  co_return response;
}

Awaitable<Response> CommentsApi::get(const Request& request) {
  if (auto allowed = allow_only(request, {}); !allowed) co_return problem(allowed.error());
  auto whole = co_await get_for_moderators(request);
  if (whole) co_return std::move(*whole);
  auto found = co_await comments_.get(request.captures[0]);
  if (!found) co_return problem(found.error());
  co_return Response{.body = std::string(document_json(found->document)),
                     .caching = Caching::revalidate,
                     .tag = document_tag(found->document)};
}

// A comment of any status, with everything that is known of it. Absent: the request may see no more
// of it than the public.
Awaitable<std::optional<Response>> CommentsApi::get_for_moderators(const Request& request) {
  if (!request.permit) co_return std::nullopt;
  auto found = co_await comments_.find(request.captures[0]);
  if (!found) co_return problem(found.error());
  if (!found->product.starts_with(request.permit->writer().products())) co_return std::nullopt;
  auto shown = encode_document(*found);
  Response response{.body = for_moderators(*found)};
  response.add("ETag", document_tag(shown));
  co_return response;
}

Awaitable<Response> CommentsApi::page_number(const Request& request) {
  auto query = filter_query(request, place_parameters);
  if (!query) co_return problem(query.error());
  auto found = co_await comments_.page_of(request.captures[0], *query);
  if (!found) co_return co_await filter_problem(comments_, found.error(), place_parameters);
  Response response{.caching = Caching::revalidate};
  response.body = "{\"number\":" + std::to_string(found->number) + ",\"href\":";
  append_json_string(response.body, page_address(comments_address(request, found->product), *query,
                                                 "page=" + std::to_string(found->number)));
  response.body += "}";
  co_return response;
}

Awaitable<Response> CommentsApi::patch(const Request& request) {
  auto id = parse_id(request.captures[0]);
  if (!id) co_return problem(id.error());
  auto patch = parse_patch(request.body);
  if (!patch) co_return problem(patch.error());
  auto tags = if_match(*request.headers);
  if (!tags) co_return problem(tags.error());
  auto edited = co_await desk_.edit(*request.permit, *id, std::move(*patch), std::move(*tags));
  if (!edited) co_return problem(edited.error());
  Response response{.body = std::string(document_json(edited->after))};
  if (moderates(request)) {
    auto comment = decode_document(edited->after).value();
    comment.moderation = edited->moderation;
    response.body = for_moderators(comment);
  }
  response.add("ETag", document_tag(edited->after));
  co_return response;
}

Awaitable<Response> CommentsApi::remove(const Request& request) {
  auto id = parse_id(request.captures[0]);
  if (!id) co_return problem(id.error());
  auto tags = if_match(*request.headers);
  if (!tags) co_return problem(tags.error());
  auto removed = co_await desk_.remove(*request.permit, *id, std::move(*tags));
  if (!removed) co_return problem(removed.error());
  co_return Response{.status = 204};
}

}  // namespace quire::http
