// Credentials by AWS's single sign-on (IAM Identity Center): `aws sso login` leaves a token in
// ~/.aws/sso/cache, which the service takes for credentials of a role. Quire does not renew the
// token.
// https://docs.aws.amazon.com/singlesignon/latest/PortalAPIReference/API_GetRoleCredentials.html
#pragma once

#include "dynamodb/credentials/sources.h"

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
                                       Result<Origin> portal);

}  // namespace quire::dynamodb
