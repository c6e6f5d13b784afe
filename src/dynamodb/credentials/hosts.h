// Credentials of a container and of an instance: endpoints of the machine that Quire runs on.
#pragma once

#include "dynamodb/credentials/sources.h"

namespace quire::dynamodb {

// Nothing if no endpoint is named, or it gives no credentials. Takes two seconds at most.
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
Awaitable<std::optional<Credentials>> container_credentials(const CredentialSources& sources);

// Nothing if this is no instance, or it has no role. Takes six seconds at most.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
Awaitable<std::optional<Credentials>> instance_credentials(const CredentialSources& sources);

}  // namespace quire::dynamodb
