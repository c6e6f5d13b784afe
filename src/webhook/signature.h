// Signatures of Standard Webhooks 1.0.0:
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quire/result.h"

namespace quire::webhook {

// The bytes of a secret, 24 to 64.
struct Secret {
  std::string bytes;

  friend bool operator==(const Secret&, const Secret&) = default;
};

// Reads "whsec_" and base64, with white space around it. invalid_parameter: it has another form;
// the message does not quote it. Thread-safe.
Result<Secret> parse_secret(std::string_view text);

// The value of `webhook-signature`: one by each secret, with spaces between them. The receiver
// takes the message if one of them is right, so that a secret can be replaced. `id` has no dot.
// `seconds` since 1970 are when the message is sent. Thread-safe.
std::string signatures(const std::vector<Secret>& secrets, std::string_view id,
                       std::uint64_t seconds, std::string_view body);

}  // namespace quire::webhook
