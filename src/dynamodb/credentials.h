// Where credentials come from, as texts; who reads files and asks endpoints passes them in.
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

// Printable and without blanks: it can go into a header or an address without becoming another one.
// Credentials that are not are refused.
bool is_plain(std::string_view text);

// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN.
std::optional<Credentials> credentials_of(const Environment& environment);

// A profile's keys, out of the text of a credentials file (`[name]`) or a config file
// (`[profile name]`, but `[default]`).
std::optional<Credentials> credentials_of_profile(std::string_view text, std::string_view profile);

// The answer of a container's endpoint or of the instance metadata service. Without an expiry they
// are refused: both always give one.
std::optional<Credentials> credentials_of_answer(std::string_view json);

// Whether they should be replaced now: five minutes before they expire.
bool ageing(const Credentials& credentials, std::uint64_t now_ms);

}  // namespace quire::dynamodb
