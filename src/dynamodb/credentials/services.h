// Credentials of services: of a container, an instance, a web identity and single sign-on.
#pragma once

#include "dynamodb/credentials/credentials.h"

namespace quire::dynamodb {

// Whether the profile has sso_account_id or sso_role_name.
bool has_sign_on(const Profile& profile);

// The region of the profile's sign-on: sso_region of the session, or of the profile.
std::string sign_on_region(const Profile& profile);

// The file of the token: the SHA-1 of the session's name, or of the start URL where no session is
// named. `home`: the user's directory.
std::string token_file(const Profile& profile, const std::string& home);

// Takes five seconds at most.
Awaitable<Result<Credentials>> sign_on(const CredentialSources& sources, Profile profile,
                                       Result<HttpOrigin> portal);

// Credentials of a role by a web identity, as pods of EKS have: a token in a file, which AWS's
// security token service takes for credentials of an hour.
// https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
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
                                           Result<HttpOrigin> service);

// Nothing if no endpoint is named, or it gives no credentials. Takes two seconds at most.
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
Awaitable<std::optional<Credentials>> container_credentials(const CredentialSources& sources);

// Nothing if this is no instance, or it has no role. Takes six seconds at most.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
Awaitable<std::optional<Credentials>> instance_credentials(const CredentialSources& sources);

}  // namespace quire::dynamodb
