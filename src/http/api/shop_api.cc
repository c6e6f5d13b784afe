#include "http/api/shop_api.h"

#include <boost/json.hpp>

#include "base/text.h"
#include "base/try.h"
#include "http/api/comments_api.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "model/additions.h"
#include "model/comment_json.h"
#include "model/document.h"
#include "model/unique_json.h"
#include "model/validate.h"
#include "product/facts.h"

namespace quire::http {
namespace {

namespace json = boost::json;

// `puts`: the facts; else removes them.
Result<FactsCondition> facts_condition(const Request& request, bool puts) {
  TRY(auto tags, if_match(*request.headers));
  bool told = request.headers->count("If-Match") > 0;
  bool untold = request.headers->count("If-None-Match") > 0;
  if (untold && (!puts || request.header(Field::if_none_match) != "*"))
    return Error{
        ErrorCode::invalid_parameter,
        "Facts are put or removed with If-Match and an ETag, or put with If-None-Match: *.",
        "If-None-Match"};
  return FactsCondition{std::move(tags), told, untold};
}

// The product to which another one is to move.
Result<std::string> target_in(std::string_view text) {
  TRY(auto body, parse_unique(text, 2));
  const auto* object = body.if_object();
  const auto* to = object ? object->if_contains("to") : nullptr;
  if (!to || !to->is_string()) return invalid_comment({{"to", "must be a product"}});
  for (const auto& [name, value] : *object)
    if (name != "to") return invalid_comment({{std::string(shortened(name)), "is no member here"}});
  return std::string(to->get_string());
}

}  // namespace

Error no_facts() {
  return {ErrorCode::not_found, "The shop tells nothing of this product."};
}

std::string moved_json(std::string_view to, const Moved& moved) {
  return json::serialize(
      json::object{{"to", to}, {"comments", moved.comments}, {"more", moved.more}});
}

std::string reply_json(const Edited& edited) {
  std::string member;
  append_reply(member, decode_document(edited.after).value().reply);
  return member.substr(member.find('{'));
}

Awaitable<Response> ProductsApi::get(const Request& request) {
  if (auto allowed = allow_only(request, {}); !allowed) co_return problem(allowed.error());
  auto facts = co_await comments_.facts_of(request.captures[0]);
  if (!facts) co_return problem(facts.error());
  if (!*facts) co_return problem(no_facts());
  NamedFacts named{request.captures[0], std::move(**facts)};
  co_return Response{
      .body = encode_facts_row(named), .caching = Caching::revalidate, .tag = facts_tag(named)};
}

Awaitable<Response> ProductsApi::put(const Request& request) {
  auto facts = parse_facts(request.body, request.captures[0]);
  if (!facts) co_return problem(facts.error());
  auto condition = facts_condition(request, true);
  if (!condition) co_return problem(condition.error());
  NamedFacts named{request.captures[0], std::move(*facts)};
  auto fresh = co_await desk_.put_facts(*request.permit, named.facts, std::move(*condition));
  if (!fresh) co_return problem(fresh.error());
  Response response{.status = *fresh > 0 ? 201u : 200u, .body = encode_facts_row(named)};
  response.add("ETag", facts_tag(named));
  co_return response;
}

Awaitable<Response> ProductsApi::remove(const Request& request) {
  auto condition = facts_condition(request, false);
  if (!condition) co_return problem(condition.error());
  auto removed = co_await desk_.remove_facts(*request.permit, std::move(*condition));
  if (!removed) co_return problem(removed.error());
  co_return Response{.status = 204};
}

Awaitable<Response> ProductsApi::move(const Request& request) {
  auto to = target_in(request.body);
  if (!to) co_return problem(to.error());
  auto moved = co_await desk_.move(*request.permit, *to);
  if (!moved) co_return problem(moved.error());
  if (!moved->refused.empty()) co_return problem("moved", moved->refused);
  co_return Response{.body = moved_json(*to, *moved), .own = true};
}

Awaitable<Result<Edited>> RepliesApi::change(const Request& request, std::optional<Reply> reply) {
  CO_TRY(auto id, parse_id(request.captures[0]));
  CO_TRY(auto tags, if_match(*request.headers));
  co_return co_await desk_.reply(*request.permit, id, std::move(reply), std::move(tags));
}

Awaitable<Response> RepliesApi::put(const Request& request) {
  auto reply = parse_reply(request.body);
  if (!reply) co_return problem(reply.error());
  auto edited = co_await change(request, std::move(*reply));
  if (!edited) co_return problem(edited.error());
  auto before = decode_document(edited->before);
  bool fresh = before && !before->reply;
  Response response{.status = fresh ? 201u : 200u, .body = reply_json(*edited)};
  response.add("ETag", document_tag(edited->after));
  if (fresh)
    response.add("Location", std::string(request.path) + "/v1/comments/" + request.captures[0]);
  co_return response;
}

Awaitable<Response> RepliesApi::remove(const Request& request) {
  auto edited = co_await change(request, {});
  if (!edited) co_return problem(edited.error());
  co_return Response{.status = 204};
}

}  // namespace quire::http
