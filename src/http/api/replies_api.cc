#include "http/api/replies_api.h"

#include "http/access/tokens.h"
#include "http/api/comments_api.h"
#include "http/api/recorded.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "model/additions.h"
#include "model/comment_json.h"
#include "model/document.h"

namespace quire::http {

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
