#include "http/access/door.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "http/problem.h"
#include "http/site.h"
#include "model/validate.h"

namespace quire::http {
namespace {

using desk::Deed;

std::string_view media_type(const Request& request) {
  auto type = request.header(Field::content_type);
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ') type.remove_suffix(1);
  return type;
}

// The token in the address, for programs that send no header; empty if there is none.
std::string_view token_in_address(const Request& request) {
  return parameter(request, "token").value_or("");
}

// The bearer token; empty if there is none.
std::string_view bearer_of(const Request& request) {
  constexpr std::string_view scheme = "Bearer ";
  auto sent = request.header(Field::authorization);
  if (!boost::beast::iequals(sent.substr(0, scheme.size()), scheme)) return {};
  return sent.substr(scheme.size());
}

// A header that is no list has one line (RFC 9110, 5.3): a proxy may have judged another than the
// first.
std::optional<Response> check_single_lines(const Request& request) {
  for (std::string_view name : {"Authorization", "Content-Type", "Idempotency-Key", "Invitation"}) {
    if (request.headers->count(name) > 1)
      return problem("invalid-parameter", fmt::format("A request has one {} header.", name));
  }
  return {};
}

// Refuses a body in another coding than this.
std::optional<Response> check_coding(const Request& request, std::string_view taken) {
  auto [coding, end] = request.headers->equal_range(Field::content_encoding);
  for (bool once = true; coding != end; ++coding) {
    auto value = coding->value();
    if (value.empty() || boost::beast::iequals(value, "identity")) continue;
    if (boost::beast::iequals(value, taken) && std::exchange(once, false)) continue;
    auto response =
        problem("unsupported-encoding",
                taken.empty() ? "Send the body as it is, without a Content-Encoding."
                              : fmt::format("Send the body as it is, or once in {}.", taken));
    response.add("Accept-Encoding", taken.empty() ? "identity" : taken);
    return response;
  }
  return {};
}

Names types_of(Entrance::Body body) {
  static const Names json_types = {"application/json"};
  static const Names patch_types = {"application/merge-patch+json", "application/json"};
  static const Names form_types = {"application/x-www-form-urlencoded"};
  static const Names line_types = {"application/jsonl", "application/x-ndjson", "text/plain", ""};
  using enum Entrance::Body;
  return body == json    ? json_types
         : body == patch ? patch_types
         : body == form  ? form_types
                         : line_types;
}

std::optional<Response> check_body(const Request& request, Entrance::Body body) {
  if (body == Entrance::Body::none) return {};
  bool lines = body == Entrance::Body::lines;
  if (auto refused = check_coding(request, lines ? "gzip" : "")) return refused;
  auto types = types_of(body);
  for (auto wanted : types)
    if (boost::beast::iequals(media_type(request), wanted)) return {};
  if (lines)
    return problem("unsupported-media-type",
                   "Send JSON Lines, with Content-Type: application/jsonl, application/x-ndjson or "
                   "text/plain, or without one.");
  return problem("unsupported-media-type",
                 fmt::format("Send the body with Content-Type: {}.", *types.begin()));
}

bool is_from_this_machine(const Request& request) {
  return request.headers->count(Field::origin) <= 1 &&
         from_this_machine(request.authority, request.header(Field::origin));
}

// The product that the request names; empty: the deed is of none, or of a comment.
std::string product_of(const Request& request, Deed deed) {
  return rights_of(deed).of == desk::Of::product ? request.captures.at(0) : std::string();
}

}  // namespace

Response problem(const desk::Refusal& refusal) {
  using Kind = desk::Refusal::Kind;
  switch (refusal.kind) {
    case Kind::malformed:
      return problem("invalid-parameter", refusal.message);
    case Kind::forbidden:
      return problem("forbidden", refusal.message);
    case Kind::unknown:
      return unauthorized(refusal.message);
    case Kind::too_often:
      break;
  }
  auto response = problem("rate-limited", refusal.message);
  response.add("Retry-After", std::to_string(refusal.wait));
  return response;
}

std::optional<Response> Door::check(Request& request, const Entrance& entrance) const {
  using enum Entrance::By;
  if (entrance.by == anyone) return {};
  if (!request.reads())
    if (auto allowed = allow_only(request, entrance.parameters); !allowed)
      return problem(allowed.error());
  if (entrance.by == session) return check_session(request, entrance);
  if (entrance.by == body) {
    if (auto refused = desk_.knock(request.client)) return problem(*refused);
  } else if (auto refused = let_in(request, entrance)) {
    return refused;
  }
  return check_body(request, entrance.body);
}

std::optional<Response> Door::let_in(Request& request, const Entrance& entrance) const {
  bool refuses = entrance.by != Entrance::By::header_or_none;
  auto product = product_of(request, entrance.deed);
  if (refuses) {
    if (auto repeated = check_single_lines(request)) return repeated;
    if (rights_of(entrance.deed).of == desk::Of::product)
      if (auto named = check_product(product); !named) return problem(named.error());
  }
  bool by_address = entrance.by == Entrance::By::address;
  auto sent = by_address ? token_in_address(request) : request.header(Field::authorization);
  desk::Proofs proofs{.authorized = !sent.empty(),
                      .bearer = by_address ? sent : bearer_of(request),
                      .product = product};
  if (entrance.deed == Deed::post && request.headers->count("Invitation") > 0)
    proofs.invitation = std::string_view((*request.headers)["Invitation"]);
  // What the public sees, customers see, too: then no signature is checked.
  if (!refuses && (proofs.bearer.empty() || identity::is_signed_token(proofs.bearer))) return {};
  auto writer = desk_.writer_of(proofs);
  if (!refuses && !desk_.would_admit(writer, entrance.deed)) return {};
  if (auto refused = take(request, std::move(writer), entrance.deed, std::move(product)))
    return refused;
  return entrance.deed == Deed::import ? check_import(request) : std::nullopt;
}

std::optional<Response> Door::take(Request& request, desk::Writer writer, Deed deed,
                                   std::string product) const {
  request.writer = placed(request, std::move(writer));
  request.writer_label = request.writer->label;
  auto admission = desk_.admit(request.writer, deed, std::move(product));
  if (const auto* refused = std::get_if<desk::Refusal>(&admission)) return problem(*refused);
  request.permit = std::make_shared<const desk::Permit>(std::get<desk::Permit>(admission));
  return {};
}

// To update what is there needs a further right.
std::optional<Response> Door::check_import(Request& request) const {
  for (auto name : {"update", "again", "new_customers"})
    if (auto value = flag(request, name); !value) return problem(value.error());
  if (!flag(request, "update").value()) return {};
  auto admission = desk_.admit(request.writer, Deed::update);
  if (const auto* refused = std::get_if<desk::Refusal>(&admission)) return problem(*refused);
  return {};
}

std::shared_ptr<const desk::Writer> Door::placed(const Request& request, desk::Writer writer) {
  writer.client = request.client;
  writer.request = request.id;
  writer.local = is_from_this_machine(request);
  return std::make_shared<const desk::Writer>(std::move(writer));
}

desk::Admission Door::admit(const Request& request, desk::Writer writer, Deed deed,
                            std::string product) const {
  writer.counted = true;
  return desk_.admit(placed(request, std::move(writer)), deed, std::move(product));
}

std::optional<desk::Writer> Door::moderator_by(const Request& request,
                                               std::string_view secret) const {
  return desk_.moderator_by(secret, is_from_this_machine(request));
}

std::optional<desk::Writer> Door::moderator(const Request& request) const {
  auto tokens = desk_.tokens();
  auto cookie = Sessions::cookie_in(request.header(Field::cookie));
  const auto* token = tokens ? sessions_.find(cookie, *tokens, system_ms()) : nullptr;
  if (!token) return {};
  return desk::Writer::of_holder(std::move(tokens), *token);
}

std::optional<Response> Door::check_session(Request& request, const Entrance& entrance) const {
  auto writer = moderator(request);
  if (!writer && request.reads()) return {};
  if (!writer) {
    auto refused = desk_.refuse(request.client, {desk::Refusal::Kind::unknown, {}});
    if (refused.kind == desk::Refusal::Kind::too_often) return problem(refused);
    request.max_body = std::min(request.max_body, few_fields);
    return {};
  }
  if (auto refused = take(request, std::move(*writer), entrance.deed)) return refused;
  return check_body(request, entrance.body);
}

}  // namespace quire::http
