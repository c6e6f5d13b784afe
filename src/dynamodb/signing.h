// Signature Version 4: proves to AWS who sent a request, and that it is unchanged.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
#pragma once

#include <cstdint>
#include <string>

#include "client/http_client.h"

namespace quire::dynamodb {

struct Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token = {};  // of temporary credentials
  std::uint64_t expires_ms = 0;    // ms since 1970; 0: never
  std::uint64_t grace_ms = 0;      // how long behind that they are used while there are no newer
};

struct Scope {
  std::string region;
  std::string service = "dynamodb";
};

// Adds x-amz-date, x-amz-security-token if the credentials have one, and authorization. Signs all
// headers of the request, whose names are in lower case; `host` must be among them. `now_ms`: ms
// since 1970 by the service's clock, which refuses a time that is minutes off.
void sign(HttpRequest& request, const Credentials& credentials, const Scope& scope,
          std::uint64_t now_ms);

}  // namespace quire::dynamodb
