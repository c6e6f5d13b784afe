#include "dynamodb/credentials/web_identity.h"

#include <algorithm>
#include <chrono>

#include "base/percent.h"
#include "dynamodb/credentials/credentials.h"

namespace quire::dynamodb {
namespace {

Message request_of(const Origin& service, const WebIdentity& identity, const std::string& token,
                   std::uint64_t now_ms) {
  auto session = identity.session.empty() ? "quire-" + std::to_string(now_ms) : identity.session;
  return {.headers = {{"host", service.authority()},
                      {"content-type", "application/x-www-form-urlencoded; charset=utf-8"}},
          .body = "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=" +
                  percent_encode(identity.role) + "&RoleSessionName=" + percent_encode(session) +
                  "&WebIdentityToken=" + percent_encode(token)};
}

// "AccessDenied" of "<Code>AccessDenied</Code>"; else the status.
std::string reason(const Reply& reply) {
  constexpr std::string_view open = "<Code>";
  auto from = reply.body.find(open);
  auto to = from == std::string::npos ? from : reply.body.find('<', from + open.size());
  auto code = to == std::string::npos
                  ? std::string()
                  : reply.body.substr(from + open.size(), to - from - open.size());
  bool name =
      !code.empty() && code.size() <= 64 && std::all_of(code.begin(), code.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.';
      });
  return name ? code : "status " + std::to_string(reply.status);
}

}  // namespace

std::optional<WebIdentity> web_identity_of(const Environment& environment) {
  WebIdentity out{environment("AWS_WEB_IDENTITY_TOKEN_FILE"), environment("AWS_ROLE_ARN"),
                  environment("AWS_ROLE_SESSION_NAME")};
  if (out.token_file.empty()) return {};
  return out;
}

std::optional<WebIdentity> web_identity_of(const Section& profile) {
  WebIdentity out{value_in(profile, "web_identity_token_file"), value_in(profile, "role_arn"),
                  value_in(profile, "role_session_name")};
  if (out.token_file.empty()) return {};
  return out;
}

Awaitable<Result<Credentials>> assume_role(const CredentialSources& sources, WebIdentity identity,
                                           Result<Origin> service) {
  if (identity.role.empty()) {
    co_return no_credentials(
        "there is the file of a web identity's token, but no role. Set AWS_ROLE_ARN, or role_arn "
        "in the profile.");
  }
  if (!service) co_return service.error();
  auto token = trim(sources.read_file(identity.token_file).value_or(""));
  if (token.empty() || !is_plain(token)) {
    co_return no_credentials(
        "the file of the web identity's token cannot be read, or holds no token. Look at "
        "AWS_WEB_IDENTITY_TOKEN_FILE, or web_identity_token_file in the profile.");
  }
  auto message = request_of(*service, identity, token, sources.now_ms());
  auto deadline = std::chrono::steady_clock::now() + service_patience;
  auto exchanged = co_await sources.exchange(*service, std::move(message), deadline);
  auto* reply = std::get_if<Reply>(&exchanged);
  if (!reply) {
    co_return no_credentials("the security token service (" + service->authority() +
                             ") does not answer. Check the network, and AWS_ENDPOINT_URL_STS.");
  }
  auto found = reply->status == 200 ? credentials_of_role(reply->body) : std::nullopt;
  if (found) co_return *found;
  co_return no_credentials("the security token service refuses the web identity (" +
                           reason(*reply) + "). Check the role's trust policy and the token.");
}

}  // namespace quire::dynamodb
