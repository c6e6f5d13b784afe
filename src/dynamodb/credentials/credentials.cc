#include "dynamodb/credentials/credentials.h"

#include <algorithm>

#include "dynamodb/item.h"
#include "quire/ulid.h"

namespace quire::dynamodb {

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

std::string trim(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  auto from = text.find_first_not_of(blank);
  if (from == text.npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(blank) - from + 1));
}

namespace {

constexpr std::uint64_t renew_before_ms = 300'000;

std::optional<Credentials> complete(Credentials credentials) {
  for (auto* text : {&credentials.access_key, &credentials.secret_key, &credentials.session_token})
    *text = trim(*text);
  if (credentials.access_key.empty() || credentials.secret_key.empty()) return {};
  bool plain = is_plain(credentials.access_key) && is_plain(credentials.secret_key) &&
               is_plain(credentials.session_token);
  if (!plain) return {};
  return credentials;
}

// The text of the first element of this name, which holds no other; empty: there is none.
std::string_view element(std::string_view xml, const std::string& name) {
  auto from = xml.find("<" + name + ">");
  if (from == xml.npos) return {};
  from += name.size() + 2;
  auto to = xml.find("</" + name + ">", from);
  return to == xml.npos ? std::string_view() : xml.substr(from, to - from);
}

}  // namespace

std::optional<Credentials> credentials_of(const Environment& environment) {
  return complete({environment("AWS_ACCESS_KEY_ID"), environment("AWS_SECRET_ACCESS_KEY"),
                   environment("AWS_SESSION_TOKEN")});
}

std::optional<Credentials> credentials_of(const Section& profile) {
  return complete({value_in(profile, "aws_access_key_id"),
                   value_in(profile, "aws_secret_access_key"),
                   value_in(profile, "aws_session_token")});
}

std::optional<Credentials> credentials_of_answer(std::string_view body) {
  auto answer = parse_object(body);
  auto expires = answer ? parse_time(text_in(*answer, "Expiration")) : std::nullopt;
  if (!expires) return {};
  return complete({text_in(*answer, "AccessKeyId"), text_in(*answer, "SecretAccessKey"),
                   text_in(*answer, "Token"), *expires});
}

std::optional<Credentials> credentials_of_process(std::string_view output) {
  auto answer = parse_object(output);
  if (!answer) return {};
  auto* version = answer->if_contains("Version");
  if (!version || *version != 1) return {};
  std::uint64_t expires_ms = 0;
  if (answer->contains("Expiration")) {
    auto expires = parse_time(text_in(*answer, "Expiration"));
    if (!expires) return {};
    expires_ms = *expires;
  }
  return complete({text_in(*answer, "AccessKeyId"), text_in(*answer, "SecretAccessKey"),
                   text_in(*answer, "SessionToken"), expires_ms});
}

std::optional<Credentials> credentials_of_sign_on(std::string_view body) {
  auto answer = parse_object(body);
  auto* keys = answer ? object_in(*answer, "roleCredentials") : nullptr;
  auto* expires = keys ? keys->if_contains("expiration") : nullptr;
  if (!expires || !expires->is_int64() || expires->get_int64() <= 0) return {};
  return complete({text_in(*keys, "accessKeyId"), text_in(*keys, "secretAccessKey"),
                   text_in(*keys, "sessionToken"),
                   static_cast<std::uint64_t>(expires->get_int64())});
}

std::optional<Credentials> credentials_of_role(std::string_view xml) {
  auto keys = element(xml, "Credentials");
  auto expires = parse_time(element(keys, "Expiration"));
  if (!expires) return {};
  return complete({std::string(element(keys, "AccessKeyId")),
                   std::string(element(keys, "SecretAccessKey")),
                   std::string(element(keys, "SessionToken")), *expires});
}

bool ageing(const Credentials& credentials, std::uint64_t now_ms) {
  return credentials.expires_ms != 0 && now_ms + renew_before_ms >= credentials.expires_ms;
}

}  // namespace quire::dynamodb
