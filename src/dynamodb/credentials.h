// Reads credentials out of texts: environment variables, files and answers of endpoints. Callers
// bring the texts.
// Order and formats: AWS SDKs and Tools Reference Guide, "Credential provider chain",
// https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/signing.h"

namespace quire::dynamodb {

// The value of an environment variable; empty: it is not set.
using Environment = std::function<std::string(const char*)>;

// Whether the text is printable and without blanks, so that it can stand in a header or an address.
// Other credentials are refused.
bool is_plain(std::string_view text);

// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN.
std::optional<Credentials> credentials_of(const Environment& environment);

// A profile's keys in the text of a credentials file (section `[name]`) or of a config file
// (section
// `[profile name]`, or `[default]`).
std::optional<Credentials> credentials_of_profile(std::string_view text, std::string_view profile);

// The keys in an answer of a container's endpoint or of the instance metadata service. An answer
// without an expiry is refused: both services always give one.
std::optional<Credentials> credentials_of_answer(std::string_view json);

// Whether the credentials expire within five minutes, and so should be replaced now.
bool ageing(const Credentials& credentials, std::uint64_t now_ms);

}  // namespace quire::dynamodb
