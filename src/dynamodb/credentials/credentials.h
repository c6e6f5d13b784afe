// Credentials: where AWS's SDKs look for them, how each place is asked, and when again.
// This header reads credentials out of texts: variables, profiles and answers.
// Order and formats: AWS SDKs and Tools Reference Guide, "Credential provider chain",
// https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/http_client.h"
#include "dynamodb/configuration.h"
#include "dynamodb/signing.h"
#include "quire/result.h"

namespace quire::dynamodb {

// For an answer of a service in the network.
inline constexpr std::chrono::seconds service_patience{5};

struct CredentialSources {
  Environment environment;
  ReadFile read_file;
  std::function<Awaitable<Result<HttpResponse>>(HttpOrigin, HttpRequest, Deadline)> exchange;
  std::function<std::uint64_t()> now_ms;  // of the wall clock, by which credentials expire
  // Runs a program with its arguments, and gives what it prints; see provider.h.
  std::function<Awaitable<Result<std::string>>(std::vector<std::string>)> run = {};
  std::function<Deadline()> steady_now = std::chrono::steady_clock::now;  // for pauses
};

// Credentials, or why they cannot be had from a place that is configured; absent: the place is not
// configured.
using FoundCredentials = std::optional<Result<Credentials>>;

// That credentials cannot be had now, and what to do.
inline Error no_credentials(std::string why) {
  return {ErrorCode::unavailable, "There are no credentials for the table: " + std::move(why)};
}

// Whether the text is printable and without blanks, so that it can stand in a header or an address.
// Other credentials are refused.
bool is_plain(std::string_view text);

// The text without blanks and line breaks at its ends: a value out of a file often ends with one.
std::string trim(std::string_view text);

// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN.
std::optional<Credentials> credentials_of(const Environment& environment);

// aws_access_key_id, aws_secret_access_key, aws_session_token of a profile.
std::optional<Credentials> credentials_of(const Section& profile);

// The keys in an answer of a container's endpoint or of the instance metadata service. An answer
// without an expiry is refused: both services always give one.
std::optional<Credentials> credentials_of_answer(std::string_view json);

// What a credential_process prints: "Version" is 1, and "Expiration" may be absent.
std::optional<Credentials> credentials_of_process(std::string_view json);

// What GetRoleCredentials of AWS's single sign-on answers.
std::optional<Credentials> credentials_of_sign_on(std::string_view json);

// What AssumeRoleWithWebIdentity of AWS's security token service answers.
std::optional<Credentials> credentials_of_role(std::string_view xml);

// Whether the credentials expire within five minutes, and so should be replaced now.
bool ageing(const Credentials& credentials, std::uint64_t now_ms);

}  // namespace quire::dynamodb
