#include "dynamodb/credentials.h"

#include <algorithm>

#include "dynamodb/json.h"
#include "quire/ulid.h"

namespace quire::dynamodb {

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

namespace {

constexpr std::uint64_t renew_before_ms = 300'000;
constexpr std::string_view blank = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  auto from = text.find_first_not_of(blank);
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(blank) - from + 1);
}

// "name" of "[name]" and of "[profile name]".
std::string_view section_name(std::string_view line) {
  auto name = trimmed(line.substr(1, line.find(']') - 1));
  constexpr std::string_view word = "profile ";
  return name.starts_with(word) ? trimmed(name.substr(word.size())) : name;
}

std::optional<Credentials> complete(Credentials credentials) {
  for (auto* text : {&credentials.access_key, &credentials.secret_key, &credentials.session_token})
    *text = std::string(trimmed(*text));  // a value out of a file often ends with a line break
  if (credentials.access_key.empty() || credentials.secret_key.empty()) return {};
  bool plain = is_plain(credentials.access_key) && is_plain(credentials.secret_key) &&
               is_plain(credentials.session_token);
  if (!plain) return {};
  return credentials;
}

}  // namespace

std::optional<Credentials> credentials_of(const Environment& environment) {
  return complete({environment("AWS_ACCESS_KEY_ID"), environment("AWS_SECRET_ACCESS_KEY"),
                   environment("AWS_SESSION_TOKEN")});
}

std::optional<Credentials> credentials_of_profile(std::string_view text, std::string_view profile) {
  Credentials found;
  bool ours = false;
  while (!text.empty()) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = trimmed(line);
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    if (line[0] == '[') {
      ours = section_name(line) == profile;
      continue;
    }
    auto equals = line.find('=');
    if (!ours || equals == line.npos) continue;
    auto name = trimmed(line.substr(0, equals));
    std::string value(trimmed(line.substr(equals + 1)));
    if (name == "aws_access_key_id") found.access_key = value;
    if (name == "aws_secret_access_key") found.secret_key = value;
    if (name == "aws_session_token") found.session_token = value;
  }
  return complete(found);
}

std::optional<Credentials> credentials_of_answer(std::string_view body) {
  auto answer = parse_object(body);
  auto expires = answer ? parse_time(text_in(*answer, "Expiration")) : std::nullopt;
  if (!expires) return {};
  return complete({text_in(*answer, "AccessKeyId"), text_in(*answer, "SecretAccessKey"),
                   text_in(*answer, "Token"), *expires});
}

bool ageing(const Credentials& credentials, std::uint64_t now_ms) {
  return credentials.expires_ms != 0 && now_ms + renew_before_ms >= credentials.expires_ms;
}

}  // namespace quire::dynamodb
