#include "dynamodb/signing.h"

#include <fmt/chrono.h>
#include <openssl/evp.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/text.h"

namespace quire::dynamodb {
namespace {

constexpr std::string_view algorithm = "AWS4-HMAC-SHA256";

std::string hmac(std::string_view key, std::string_view text) {
  auto mac = hmac_sha256(key, text);
  return {mac.begin(), mac.end()};
}

// Parameters ordered by name, then by value.
std::string sorted(std::string_view query) {
  std::vector<std::pair<std::string_view, std::string_view>> parts;
  while (!query.empty()) {
    auto part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(part.size() + 1, query.size()));
    auto name = part.substr(0, part.find('='));
    parts.emplace_back(name, part.substr(std::min(name.size() + 1, part.size())));
  }
  std::sort(parts.begin(), parts.end());
  std::string out;
  for (const auto& [name, value] : parts)
    out.append(out.empty() ? "" : "&").append(name).append("=").append(value);
  return out;
}

// Without spaces around it, and with single spaces within.
std::string single_spaced(std::string_view value) {
  std::string out;
  for (char c : value) {
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// Headers by name; the values of repeated headers are joined.
std::map<std::string, std::string> canonical(const HttpRequest& request) {
  std::map<std::string, std::string> headers;
  for (const auto& [name, value] : request.headers) {
    auto [at, fresh] = headers.emplace(name, single_spaced(value));
    if (!fresh) at->second.append(",").append(single_spaced(value));
  }
  return headers;
}

}  // namespace

void sign(HttpRequest& request, const Credentials& credentials, const Scope& scope,
          std::uint64_t now_ms) {
  auto time =
      fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(static_cast<std::time_t>(now_ms / 1000)));
  auto day = time.substr(0, 8);
  request.headers.emplace_back("x-amz-date", time);
  if (!credentials.session_token.empty())
    request.headers.emplace_back("x-amz-security-token", credentials.session_token);

  std::string names, lines;
  for (const auto& [name, value] : canonical(request)) {
    names.append(names.empty() ? "" : ";").append(name);
    lines.append(name).append(":").append(value).append("\n");
  }
  auto canonical_request =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.method, request.path, sorted(request.query),
                  lines, names, sha256_hex(request.body));
  auto credential_scope = fmt::format("{}/{}/{}/aws4_request", day, scope.region, scope.service);
  auto text = fmt::format("{}\n{}\n{}\n{}", algorithm, time, credential_scope,
                          sha256_hex(canonical_request));
  auto key = hmac("AWS4" + credentials.secret_key, day);
  for (std::string_view part : {std::string_view(scope.region), std::string_view(scope.service),
                                std::string_view("aws4_request")})
    key = hmac(key, part);
  request.headers.emplace_back(
      "authorization",
      fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", algorithm,
                  credentials.access_key, credential_scope, names, hex(hmac_sha256(key, text))));
}

}  // namespace quire::dynamodb
