// Credentials of a role by a web identity, as pods of EKS have: a token in a file, which AWS's
// security token service takes for credentials of an hour.
// https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
#pragma once

#include "dynamodb/credentials/sources.h"

namespace quire::dynamodb {

struct WebIdentity {
  std::string token_file;
  std::string role;     // its ARN
  std::string session;  // a name for the service's logs; empty: one is made up
};

// AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN, AWS_ROLE_SESSION_NAME. Without a token file: nothing.
std::optional<WebIdentity> web_identity_of(const Environment& environment);
// web_identity_token_file, role_arn, role_session_name.
std::optional<WebIdentity> web_identity_of(const Section& profile);

// Reads the token anew, since its file is replaced before it expires. Takes five seconds at most.
Awaitable<Result<Credentials>> assume_role(const CredentialSources& sources, WebIdentity identity,
                                           Result<Origin> service);

}  // namespace quire::dynamodb
