#include "dynamodb/credentials/services.h"

#include <strings.h>

#include <boost/asio/ip/address_v4.hpp>
#include <boost/url.hpp>

#include <algorithm>
#include <chrono>

#include "base/hash.h"
#include "base/text.h"
#include "base/try.h"
#include "dynamodb/item.h"
#include "quire/ulid.h"

namespace quire::dynamodb {

namespace {

Error login(const Profile& profile, const std::string& why) {
  return no_credentials(why + " Run: aws sso login --profile " + profile.name);
}

// Earlier versions of AWS's command write "UTC" in place of "Z".
std::optional<std::uint64_t> expiry_of(std::string text) {
  if (text.ends_with("UTC")) text.replace(text.size() - 3, 3, "Z");
  return parse_time(text);
}

Result<std::string> token_of(const CredentialSources& sources, const Profile& profile) {
  auto text = sources.read_file(token_file(profile, sources.environment("HOME")));
  auto cached = text ? parse_object(*text) : std::nullopt;
  if (!cached) return login(profile, "nobody has signed on for the profile.");
  auto token = text_in(*cached, "accessToken");
  auto expires_ms = expiry_of(text_in(*cached, "expiresAt"));
  if (token.empty() || !is_plain(token) || !expires_ms)
    return login(profile, "the cached token of single sign-on is damaged.");
  if (*expires_ms <= sources.now_ms()) return login(profile, "the single sign-on has expired.");
  return token;
}

HttpRequest request_of(const HttpOrigin& service, const WebIdentity& identity,
                       const std::string& token, std::uint64_t now_ms) {
  auto session = identity.session.empty() ? "quire-" + std::to_string(now_ms) : identity.session;
  return {.headers = {{"host", service.authority()},
                      {"content-type", "application/x-www-form-urlencoded; charset=utf-8"}},
          .body = "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=" +
                  percent_encode(identity.role) + "&RoleSessionName=" + percent_encode(session) +
                  "&WebIdentityToken=" + percent_encode(token)};
}

// "AccessDenied" of "<Code>AccessDenied</Code>"; else the status.
std::string reason(const HttpResponse& response) {
  constexpr std::string_view open = "<Code>";
  auto from = response.body.find(open);
  auto to = from == std::string::npos ? from : response.body.find('<', from + open.size());
  auto code = to == std::string::npos
                  ? std::string()
                  : response.body.substr(from + open.size(), to - from - open.size());
  bool name =
      !code.empty() && code.size() <= 64 && std::all_of(code.begin(), code.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.';
      });
  return name ? code : "status " + std::to_string(response.status);
}

constexpr std::chrono::seconds source_timeout{2};

const HttpOrigin containers{false, "169.254.170.2", "80"};
const HttpOrigin metadata{false, "169.254.169.254", "80"};

HttpRequest get_of(const HttpOrigin& origin, std::string path) {
  return {.method = "GET", .path = std::move(path), .headers = {{"host", origin.authority()}}};
}

// Credentials are sent without TLS only within this machine or its own network, to the addresses
// that the SDKs allow.
bool is_local(const std::string& host) {
  boost::system::error_code a_name;
  auto address = boost::asio::ip::make_address_v4(host, a_name);
  return host == "localhost" || (!a_name && address.is_loopback()) || host == "[::1]" ||
         host == containers.host || host == "169.254.170.23" || host == "[fd00:ec2::23]";
}

// The body of a success; empty: there was none.
Awaitable<std::string> ask(const CredentialSources& sources, HttpOrigin origin,
                           HttpRequest request) {
  auto deadline = std::chrono::steady_clock::now() + source_timeout;
  auto response = co_await sources.exchange(std::move(origin), std::move(request), deadline);
  co_return response && response->status == 200 ? std::move(response->body) : std::string();
}

}  // namespace

bool has_sign_on(const Profile& profile) {
  return profile.keys.contains("sso_account_id") || profile.keys.contains("sso_role_name");
}

std::string sign_on_region(const Profile& profile) {
  auto region = value_in(profile.session, "sso_region");
  return region.empty() ? value_in(profile.keys, "sso_region") : region;
}

std::string token_file(const Profile& profile, const std::string& home) {
  auto session = value_in(profile.keys, "sso_session");
  auto name = session.empty() ? value_in(profile.keys, "sso_start_url") : session;
  return home + "/.aws/sso/cache/" + sha1_hex(name) + ".json";
}

Awaitable<Result<Credentials>> sign_on(const CredentialSources& sources, Profile profile,
                                       Result<HttpOrigin> portal) {
  auto account = value_in(profile.keys, "sso_account_id");
  auto role = value_in(profile.keys, "sso_role_name");
  if (account.empty() || role.empty() || sign_on_region(profile).empty()) {
    co_return no_credentials("the profile " + profile.name +
                             " has single sign-on, but not all of sso_account_id, sso_role_name "
                             "and sso_region. Run: aws configure sso");
  }
  if (!portal) co_return portal.error();
  CO_TRY(auto token, token_of(sources, profile));
  HttpRequest request{
      .method = "GET",
      .path = "/federation/credentials",
      .query = "role_name=" + percent_encode(role) + "&account_id=" + percent_encode(account),
      .headers = {{"host", portal->authority()}, {"x-amz-sso_bearer_token", token}}};
  auto deadline = std::chrono::steady_clock::now() + service_patience;
  auto response = co_await sources.exchange(*portal, std::move(request), deadline);
  if (!response) {
    co_return no_credentials("the single sign-on (" + portal->authority() +
                             ") does not answer. Check the network.");
  }
  auto found = response->status == 200 ? credentials_of_sign_on(response->body) : std::nullopt;
  if (found) co_return *found;
  if (response->status == 401) co_return login(profile, "the single sign-on was ended.");
  co_return no_credentials("the single sign-on refuses the role of the profile " + profile.name +
                           " (status " + std::to_string(response->status) +
                           "). Check sso_account_id and sso_role_name.");
}

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
                                           Result<HttpOrigin> service) {
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
  auto request = request_of(*service, identity, token, sources.now_ms());
  auto deadline = std::chrono::steady_clock::now() + service_patience;
  auto response = co_await sources.exchange(*service, std::move(request), deadline);
  if (!response) {
    co_return no_credentials("the security token service (" + service->authority() +
                             ") does not answer. Check the network, and AWS_ENDPOINT_URL_STS.");
  }
  auto found = response->status == 200 ? credentials_of_role(response->body) : std::nullopt;
  if (found) co_return *found;
  co_return no_credentials("the security token service refuses the web identity (" +
                           reason(*response) + "). Check the role's trust policy and the token.");
}

Awaitable<std::optional<Credentials>> container_credentials(const CredentialSources& sources) {
  const auto& environment = sources.environment;
  HttpOrigin origin = containers;
  std::string path = environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  if (path.empty()) {
    std::string full = environment("AWS_CONTAINER_CREDENTIALS_FULL_URI");
    auto url = boost::urls::parse_uri(full);
    if (!url) co_return std::nullopt;
    auto parsed = parse_origin(std::string(url->scheme()) + "://" +
                               std::string(url->encoded_host_and_port()));
    if (!parsed || !(parsed->tls || is_local(parsed->host))) co_return std::nullopt;
    origin = *parsed;
    path = url->encoded_path();
    if (path.empty()) path = "/";
    if (url->has_query()) path += "?" + std::string(url->encoded_query());
  }
  HttpRequest request = get_of(origin, path);
  std::string token = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  std::string file = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  if (!file.empty()) token = sources.read_file(file).value_or("");
  token.erase(token.find_last_not_of("\r\n") + 1);
  if (token.find_first_of("\r\n") != token.npos) co_return std::nullopt;
  if (!token.empty()) request.headers.emplace_back("authorization", token);
  co_return credentials_of_answer(co_await ask(sources, origin, std::move(request)));
}

constexpr std::uint64_t instance_grace_ms = 15 * 60'000;

Awaitable<std::optional<Credentials>> instance_credentials(const CredentialSources& sources) {
  std::string disabled = sources.environment("AWS_EC2_METADATA_DISABLED");
  if (strcasecmp(disabled.c_str(), "true") == 0) co_return std::nullopt;
  HttpRequest session = get_of(metadata, "/latest/api/token");
  session.method = "PUT";
  session.headers.emplace_back("x-aws-ec2-metadata-token-ttl-seconds", "21600");
  std::string token = co_await ask(sources, metadata, std::move(session));
  if (token.empty() || !is_plain(token)) co_return std::nullopt;
  std::string path = "/latest/meta-data/iam/security-credentials/";
  HttpRequest roles = get_of(metadata, path);
  roles.headers.emplace_back("x-aws-ec2-metadata-token", token);
  std::string role = co_await ask(sources, metadata, std::move(roles));
  role = role.substr(0, role.find('\n'));
  if (role.empty() || !is_plain(role)) co_return std::nullopt;
  HttpRequest keys = get_of(metadata, path + role);
  keys.headers.emplace_back("x-aws-ec2-metadata-token", token);
  auto found = credentials_of_answer(co_await ask(sources, metadata, std::move(keys)));
  if (!found) co_return std::nullopt;
  // The service gives old ones for a while when it cannot renew them, and AWS then takes these.
  found->expires_ms = std::max(found->expires_ms, sources.now_ms());
  found->grace_ms = instance_grace_ms;
  co_return found;
}

}  // namespace quire::dynamodb
