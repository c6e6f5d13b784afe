#include "http/access/permission.h"

#include <fmt/format.h>

#include <utility>

#include "base/clock.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "http/query.h"
#include "http/site.h"
#include "model/validate.h"

namespace quire::http {
namespace {

std::string_view media_type(const Request& request) {
  auto type = request.header(Field::content_type);
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ') type.remove_suffix(1);
  return type;
}

// The bearer token; empty if there is none.
std::string_view credentials(const Request& request) {
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

std::optional<Response> check_body(const Request& request,
                                   std::initializer_list<std::string_view> types) {
  if (auto refused = check_coding(request, "")) return refused;
  auto type = media_type(request);
  for (auto wanted : types) {
    if (boost::beast::iequals(type, wanted)) return {};
  }
  return problem("unsupported-media-type",
                 fmt::format("Send the body with Content-Type: {}.", *types.begin()));
}

std::optional<Response> check_json(const Request& request) {
  if (request.method == Verb::delete_) return {};  // it has no body
  return check_body(request, {"application/json"});
}

std::string lacks(Scope scope) {
  return fmt::format(
      "This token may not do that: it lacks the scope \"{0}\". Use a token that has it: "
      "quire token new --scopes {0}",
      scope_name(scope));
}

bool sent_from_this_machine(const Request& request) {
  return request.headers->count(Field::origin) <= 1 &&
         from_this_machine(request.authority, request.header(Field::origin));
}

}  // namespace

std::optional<Response> Permission::check_post(Request& request) {
  if (auto error = allow_only(request, {})) return problem(*error);
  if (auto refused = permit(request, {Scope::post}, Others::posters)) return refused;
  if (auto refused = check_json(request)) return refused;
  if (auto refused = check_prefix(request)) return refused;
  if (auto wait = limits_.post(request.client, request.captures[0], system_ms()))
    return too_many("This product has too many new comments.", *wait);
  return {};
}

std::optional<Response> Permission::check_prefix(const Request& request) {
  const auto& product = request.captures[0];
  if (auto error = check_product(product)) return problem(*error);
  if (!request.token || product.starts_with(request.token->product)) return {};
  return problem("forbidden", "This token may only write to products that begin with \"" +
                                  request.token->product + "\".");
}

std::optional<Response> Permission::check_facts(Request& request) {
  if (auto error = allow_only(request, {})) return problem(*error);
  auto refused = forbid(request, {Scope::products}, Others::none, system_ms());
  if (!refused) refused = check_prefix(request);
  refused = counted(request, std::move(refused));
  return refused ? std::move(refused) : check_json(request);
}

std::optional<Response> Permission::check_import(Request& request) {
  if (auto error = allow_only(request, {"update", "again", "new_customers"}))
    return problem(*error);
  for (auto name : {"update", "again", "new_customers"})
    if (auto value = flag(request, name); !value) return problem(value.error());
  auto refused = forbid(request, {Scope::import}, Others::none, system_ms());
  if (!refused && flag(request, "update").value() && !request.token->may(Scope::edit))
    refused = problem("forbidden", lacks(Scope::edit));
  refused = counted(request, std::move(refused));
  if (refused) return refused;
  if (auto other = check_coding(request, "gzip")) return other;
  auto type = media_type(request);
  for (std::string_view wanted : {"", "application/jsonl", "application/x-ndjson", "text/plain"})
    if (boost::beast::iequals(type, wanted)) return {};
  return problem("unsupported-media-type",
                 "Send JSON Lines, with Content-Type: application/jsonl, application/x-ndjson or "
                 "text/plain, or without one.");
}

std::optional<Response> Permission::check_patch(Request& request) {
  if (auto error = allow_only(request, {})) return problem(*error);
  if (auto refused = permit(request, {Scope::edit, Scope::moderate}, Others::writers))
    return refused;
  return check_body(request, {"application/merge-patch+json", "application/json"});
}

std::optional<Response> Permission::check_delete(Request& request) {
  if (auto error = allow_only(request, {})) return problem(*error);
  return permit(request, {Scope::edit}, Others::customers);
}

std::optional<Response> Permission::check_customer(Request& request) {
  auto refused = check_single_lines(request);
  if (!refused && !identity::is_signed_token(credentials(request)))
    refused = unauthorized(
        "This is for customers: Authorization: Bearer TOKEN, with a signed token of the shop.");
  if (!refused) refused = customers_.identify(request, credentials(request));
  return counted(request, std::move(refused));
}

std::optional<Response> Permission::check_with(Request& request, Scope scope) {
  if (auto error = allow_only(request, {})) return problem(*error);
  if (auto refused = permit(request, {scope})) return refused;
  return check_json(request);
}

std::optional<Response> Permission::check_vote(Request& request) {
  if (auto error = allow_only(request, {})) return problem(*error);
  if (auto repeated = check_single_lines(request)) return repeated;
  if (auto refused = check_voter(request, credentials(request))) return refused;
  return check_json(request);
}

std::optional<Response> Permission::check_voter(Request& request, std::string_view token) {
  std::optional<Response> refused;
  if (!identity::is_signed_token(token))
    refused = unauthorized(
        "Votes are of customers: Authorization: Bearer TOKEN, with a signed token of the shop.");
  if (!refused) refused = customers_.identify(request, token);
  if (!refused && !customers_.shop()->votes)
    refused = problem("forbidden",
                      "This shop takes no votes: its shop file has no who = \"customers\" in "
                      "[votes].");
  auto now = system_ms();
  auto wait = refused ? limits_.refusal(request.client, now) : limits_.write(request.client, now);
  if (!refused && !wait) wait = limits_.customer(request.customer->hash, now);
  if (wait) return too_many("Too many votes come from this address, or of this customer.", *wait);
  return refused;
}

std::optional<Response> Permission::check_moderator(Request& request) {
  return counted(request, forbid(request, {Scope::moderate}, Others::none, system_ms()));
}

// What a shop's own programs send, and reads, are not counted; refusals are.
std::optional<Response> Permission::counted(const Request& request,
                                            std::optional<Response> refused) {
  auto wait = refused ? limits_.refusal(request.client, system_ms()) : std::nullopt;
  if (wait) return too_many("Too many requests come from this address.", *wait);
  return refused;
}

std::optional<Response> Permission::check_form(Request& request) {
  if (auto error = allow_only(request, {})) return problem(*error);
  return check_body(request, {"application/x-www-form-urlencoded"});
}

std::optional<Response> Permission::check_review(Request& request) {
  if (auto wait = limits_.write(request.client, system_ms()))
    return too_many("Too many writes come from this address.", *wait);
  if (auto error = allow_only(request, ui_parameters)) return problem(*error);
  return check_body(request, {"application/x-www-form-urlencoded"});
}

std::optional<Response> Permission::note_moderator(Request& request) {
  auto tokens = this->tokens();
  auto sent = credentials(request);
  const Token* token = tokens && !sent.empty() ? tokens->find(sent) : nullptr;
  if (token && !token->ended(system_ms()) && token->may(Scope::moderate)) {
    request.token = {tokens, token};
    request.token_label = token->label();
  }
  return {};
}

std::optional<Response> Permission::check_report(Request& request) {
  if (auto error = allow_only(request, {})) return problem(*error);
  if (auto wait = limits_.write(request.client, system_ms()))
    return too_many("Too many writes come from this address.", *wait);
  // A customer who is known reports a comment once, whatever the address.
  auto sent = credentials(request);
  auto refused = identity::is_signed_token(sent) ? customers_.identify(request, sent)
                                                 : check_single_lines(request);
  if (refused) return refused;
  auto wait =
      request.customer ? limits_.customer(request.customer->hash, system_ms()) : std::nullopt;
  if (wait) return too_many("This customer writes too often.", *wait);
  return check_json(request);
}

// Counts refusals as well, so that a client that tries tokens soon has to wait.
std::optional<Response> Permission::permit(Request& request, std::initializer_list<Scope> scopes,
                                           Others others) {
  auto now = system_ms();
  auto refused = forbid(request, scopes, others, now);
  auto wait = refused ? limits_.refusal(request.client, now) : limits_.write(request.client, now);
  if (wait) return too_many("Too many writes come from this address.", *wait);
  if (!refused && request.customer) wait = limits_.customer(request.customer->hash, now);
  if (wait) return too_many("This customer writes too often.", *wait);
  return refused;
}

std::optional<Response> Permission::forbid_customer(Request& request, Others others) const {
  auto sent = request.header(Field::authorization);
  auto ticket =
      others == Others::posters ? request.headers->find("Invitation") : request.headers->end();
  bool invited = ticket != request.headers->end();
  if (invited && !sent.empty())
    return problem("invalid-parameter",
                   "Send either Authorization or Invitation: a post has one writer.");
  auto refused = invited ? customers_.admit(request, ticket->value(), request.captures[0])
                         : customers_.identify(request, credentials(request));
  if (refused) return refused;
  if (others == Others::none)
    return problem("forbidden", "A customer may not do that. It needs a token of this server.");
  if (others != Others::customers && customers_.writers() == shop::Writers::nobody)
    return problem("forbidden", "This shop takes no comments of customers.");
  return {};
}

// One of the scopes is enough; a message names the first.
std::optional<Response> Permission::forbid(Request& request, std::initializer_list<Scope> scopes,
                                           Others others, std::uint64_t now_ms) const {
  if (auto repeated = check_single_lines(request)) return repeated;
  auto sent = credentials(request);
  bool invited = others == Others::posters && request.headers->count("Invitation") > 0;
  if (invited || identity::is_signed_token(sent)) return forbid_customer(request, others);
  auto tokens = this->tokens();
  const Token* token = tokens && !sent.empty() ? tokens->find(sent) : nullptr;
  if (token && token->ended(now_ms))
    return unauthorized("This token ended with " + token->until + ". Ask for a new one.");
  if (token) {
    request.token = {tokens, token};
    request.token_label = token->label();
    for (auto scope : scopes)
      if (token->may(scope)) return {};
    return problem("forbidden", lacks(*scopes.begin()));
  }
  bool anonymous = request.header(Field::authorization).empty();
  request.bound = anonymous && may_be_anonymous();
  if (options_.demo && anonymous && *scopes.begin() == Scope::post) {
    if (sent_from_this_machine(request)) return {};
    return problem("forbidden",
                   "In a demo only pages and programs of this machine may post: Host, and Origin "
                   "if there is one, must be localhost or a loopback address.");
  }
  if (anonymous && others == Others::posters && may_be_anonymous()) return {};
  bool customers = others != Others::none && customers_.writers() != shop::Writers::nobody;
  if (!tokens && !options_.demo && !customers) {
    return problem("forbidden", "This server takes no writes: it was started without --tokens.");
  }
  return unauthorized(
      customers ? "Writing needs Authorization: Bearer TOKEN, with a token of this server or a "
                  "signed one of the shop, or an invitation."
                : "Writing needs Authorization: Bearer TOKEN, with a token of this server.");
}

}  // namespace quire::http
