#include "http/api/shop_api.h"

#include "http/access/tokens.h"
#include "http/api/comments_api.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "model/additions.h"
#include "model/comment_json.h"
#include "model/document.h"
#include "product/facts.h"

namespace quire::http {
namespace {

// `puts`: the facts; else removes them.
Result<FactsCondition> facts_condition(const Request& request, bool puts) {
  auto tags = if_match(*request.headers);
  if (!tags) return tags.error();
  bool told = request.headers->count("If-Match") > 0;
  bool untold = request.headers->count("If-None-Match") > 0;
  if (untold && (!puts || request.header(Field::if_none_match) != "*"))
    return Error{
        ErrorCode::invalid_parameter,
        "Facts are put or removed with If-Match and an ETag, or put with If-None-Match: *.",
        "If-None-Match"};
  return FactsCondition{std::move(*tags), told, untold};
}

}  // namespace

Awaitable<Response> ProductsApi::get(const Request& request) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  auto facts = co_await comments_.facts_of(request.captures[0]);
  if (!facts) co_return problem(facts.error());
  if (!*facts) co_return problem("not-found", "The shop tells nothing of this product.");
  NamedFacts named{request.captures[0], std::move(**facts)};
  co_return Response{
      .body = encode_facts_row(named), .caching = Caching::revalidate, .tag = facts_tag(named)};
}

Awaitable<Response> ProductsApi::put(const Request& request) {
  auto facts = parse_facts(request.body, request.captures[0]);
  if (!facts) co_return problem(facts.error());
  auto condition = facts_condition(request, true);
  if (!condition) co_return problem(condition.error());
  if (auto ready = ready_to_record(audit_); !ready) co_return problem(ready.error());
  NamedFacts named{request.captures[0], std::move(*facts)};
  std::vector<NamedFacts> one{named};
  auto fresh = co_await comments_.put_facts(std::move(one), std::move(*condition));
  if (!fresh) co_return problem(fresh.error());
  record(audit_, request, named.product, &named.facts);
  Response response{.status = *fresh > 0 ? 201u : 200u, .body = encode_facts_row(named)};
  response.add("ETag", facts_tag(named));
  co_return response;
}

Awaitable<Response> ProductsApi::remove(const Request& request) {
  auto condition = facts_condition(request, false);
  if (!condition) co_return problem(condition.error());
  if (auto ready = ready_to_record(audit_); !ready) co_return problem(ready.error());
  auto removed = co_await comments_.remove_facts(request.captures[0], std::move(*condition));
  if (!removed) co_return problem(removed.error());
  record(audit_, request, request.captures[0], nullptr);
  co_return Response{.status = 204};
}

Awaitable<Result<Edited>> RepliesApi::change(const Request& request, std::optional<Reply> reply) {
  auto id = parse_id(request.captures[0]);
  if (!id) co_return id.error();
  auto condition = condition_of(request);
  if (!condition) co_return condition.error();
  if (auto ready = ready_to_record(audit_); !ready) co_return ready.error();
  Patch patch{.reply = std::move(reply)};
  bool moderates = request.token->may(Scope::moderate);
  auto edited =
      co_await comments_.reply(*id, std::move(*patch.reply), std::move(*condition), moderates);
  if (edited) record(audit_, metrics_, request, *id, patch, *edited);
  co_return edited;
}

Awaitable<Response> RepliesApi::put(const Request& request) {
  auto reply = parse_reply(request.body);
  if (!reply) co_return problem(reply.error());
  auto edited = co_await change(request, std::move(*reply));
  if (!edited) co_return problem(edited.error());
  auto before = decode_document(edited->before), after = decode_document(edited->after);
  bool fresh = before && !before->reply;
  Response response{.status = fresh ? 201u : 200u};
  std::string member;
  append_reply(member, after.value().reply);
  response.body = member.substr(member.find('{'));
  response.add("ETag", document_tag(edited->after));
  if (fresh)
    response.add("Location", std::string(request.path) + "/v1/comments/" + after->id.text());
  co_return response;
}

Awaitable<Response> RepliesApi::remove(const Request& request) {
  auto edited = co_await change(request, {});
  if (!edited) co_return problem(edited.error());
  co_return Response{.status = 204};
}

}  // namespace quire::http
