#include "http/api/votes_api.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "base/try.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "model/unique_json.h"
#include "model/validate.h"

namespace quire::http {
namespace {

Result<Vote> vote_in(std::string_view text) {
  TRY(auto body, parse_unique(text, 2));
  const auto* object = body.if_object();
  const auto* name = object && object->size() == 1 ? object->if_contains("vote") : nullptr;
  auto vote = name && name->is_string() ? parse_vote(name->get_string()) : std::nullopt;
  if (vote) return *vote;
  return invalid_comment({{"vote", "must be helpful or unhelpful, and the only member"}});
}

// The comments that the request names, each once.
Result<std::vector<Ulid>> comments_in(const Request& request) {
  std::vector<Ulid> ids;
  for (const auto& [name, value] : request.parameters) {
    auto id = Ulid::parse(value);
    if (!id) return invalid("comment", "comment is the id of a comment.");
    if (std::find(ids.begin(), ids.end(), *id) == ids.end()) ids.push_back(*id);
  }
  if (ids.empty() || request.parameters.size() > limits::page_max)
    return invalid("comment", "comment stands once for each of 1 to 100 comments.");
  return ids;
}

}  // namespace

Awaitable<Response> VotesApi::own(const Request& request) {
  auto is_comment = [](std::string_view name) { return name == "comment"; };
  if (auto allowed = allow_only(request, {"comment"}, is_comment); !allowed)
    co_return problem(allowed.error());
  auto comments = comments_in(request);
  if (!comments) co_return problem(comments.error());
  auto traces = co_await door_.desk().traces(*request.permit, std::move(*comments));
  if (!traces) co_return problem(traces.error());
  Response response{.body = "{\"votes\":{", .own = true};
  auto& body = response.body;
  for (const auto& [id, vote] : traces->votes)
    body +=
        fmt::format(R"({}"{}":"{}")", body.back() == '{' ? "" : ",", id.text(), vote_name(vote));
  body += "},\"own\":[";
  for (const auto& id : traces->own)
    body += fmt::format(R"({}"{}")", body.back() == '[' ? "" : ",", id.text());
  body += ']';
  if (traces->damaged > 0) body += fmt::format(R"(,"missing":{})", traces->damaged);
  body += '}';
  co_return response;
}

Awaitable<Response> VotesApi::put(const Request& request) {
  auto id = parse_id(request.captures[0]);
  if (!id) co_return problem(id.error());
  auto vote = vote_in(request.body);
  if (!vote) co_return problem(vote.error());
  auto voted = co_await door_.desk().vote(*request.permit, *id, *vote);
  if (!voted) co_return problem(voted.error());
  co_return Response{.body = fmt::format(R"({{"vote":"{}","helpful":{},"unhelpful":{}}})",
                                         vote_name(*vote), voted->helpful, voted->unhelpful),
                     .own = true};
}

Awaitable<Response> VotesApi::remove(const Request& request) {
  auto id = parse_id(request.captures[0]);
  if (!id) co_return problem(id.error());
  auto voted = co_await door_.desk().vote(*request.permit, *id, {});
  if (!voted) co_return problem(voted.error());
  co_return Response{.status = 204};
}

Awaitable<Response> VotesApi::form(const Request& request) {
  auto id = parse_id(request.captures[0]);
  if (!id) co_return problem(id.error());
  auto fields = form_of(request.body);
  auto field = [&](std::string_view wanted) {
    std::string_view value;
    for (const auto& [name, each] : fields)
      if (name == wanted) value = each;
    return value;
  };
  auto& desk = door_.desk();
  auto writer = desk.writer_of({.authorized = true, .bearer = field("token")});
  auto admission = door_.admit(request, std::move(writer), desk::Deed::vote);
  if (const auto* refused = std::get_if<desk::Refusal>(&admission)) co_return problem(*refused);
  auto vote = parse_vote(field("vote"));
  if (!vote && field("vote") != "none")
    co_return problem(invalid_comment({{"vote", "must be helpful, unhelpful or none"}}));
  auto voted = co_await desk.vote(std::get<desk::Permit>(admission), *id, vote);
  if (!voted) co_return problem(voted.error());
  co_return redirect(303, std::string(request.path) + "/comments/" + id->text() + "/page");
}

}  // namespace quire::http
