// Signature Version 4: proves to AWS who sends a request, and that nobody changed it on the way.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quire::dynamodb {

struct Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token = {};  // of credentials that expire
  std::uint64_t expires_ms = 0;    // since 1970; 0: never
};

// What is signed; header names in lower case.
struct Message {
  std::string method = "POST";
  std::string path = "/";  // percent-encoded
  std::string query = {};  // "a=b&c=d", percent-encoded
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body = {};
};

struct Scope {
  std::string region;
  std::string service = "dynamodb";
};

// Adds x-amz-date, x-amz-security-token where there is one, and authorization. All headers given
// are signed; `host` must be among them. `now_ms` since 1970, as the service's clock has it: it
// refuses what is more than minutes off.
void sign(Message& message, const Credentials& credentials, const Scope& scope,
          std::uint64_t now_ms);

}  // namespace quire::dynamodb
