#include "dynamodb/credentials/single_sign_on.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <chrono>

#include "base/percent.h"
#include "dynamodb/credentials/credentials.h"
#include "dynamodb/json.h"
#include "quire/ulid.h"

namespace quire::dynamodb {
namespace {

// The names of the cache's files are SHA-1; nothing is kept secret by it.
std::string sha1_hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
  std::string out;
  for (unsigned i = 0; i < size; ++i) out += fmt::format("{:02x}", digest[i]);
  return out;
}

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
                                       Result<Origin> portal) {
  auto account = value_in(profile.keys, "sso_account_id");
  auto role = value_in(profile.keys, "sso_role_name");
  if (account.empty() || role.empty() || sign_on_region(profile).empty()) {
    co_return no_credentials("the profile " + profile.name +
                             " has single sign-on, but not all of sso_account_id, sso_role_name "
                             "and sso_region. Run: aws configure sso");
  }
  if (!portal) co_return portal.error();
  auto token = token_of(sources, profile);
  if (!token) co_return token.error();
  Message message{
      .method = "GET",
      .path = "/federation/credentials",
      .query = "role_name=" + percent_encode(role) + "&account_id=" + percent_encode(account),
      .headers = {{"host", portal->authority()}, {"x-amz-sso_bearer_token", *token}}};
  auto deadline = std::chrono::steady_clock::now() + service_patience;
  auto exchanged = co_await sources.exchange(*portal, std::move(message), deadline);
  auto* reply = std::get_if<Reply>(&exchanged);
  if (!reply) {
    co_return no_credentials("the single sign-on (" + portal->authority() +
                             ") does not answer. Check the network.");
  }
  auto found = reply->status == 200 ? credentials_of_sign_on(reply->body) : std::nullopt;
  if (found) co_return *found;
  if (reply->status == 401) co_return login(profile, "the single sign-on was ended.");
  co_return no_credentials("the single sign-on refuses the role of the profile " + profile.name +
                           " (status " + std::to_string(reply->status) +
                           "). Check sso_account_id and sso_role_name.");
}

}  // namespace quire::dynamodb
