// Where AWS's services are: hosts by region, and the variables and keys of a profile that name
// others.
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
#pragma once

#include "dynamodb/address.h"
#include "dynamodb/configuration.h"

namespace quire::dynamodb {

enum class Api { dynamodb, streams, sts, sso };

// The region of AWS_REGION, AWS_DEFAULT_REGION or the profile; empty: none names a region.
std::string region_of(const Environment& environment, const Profile& profile);

// Whether `name` can stand in a host's name as a region.
bool is_region(std::string_view name);

// In this order: the URL that AWS_ENDPOINT_URL_API names, AWS_ENDPOINT_URL, those of the profile;
// or the service's own host in the region, with FIPS 140 or dual stack where AWS_USE_FIPS_ENDPOINT,
// AWS_USE_DUALSTACK_ENDPOINT or the profile ask for them.
// invalid_parameter: a URL is none or contradicts FIPS or dual stack, or the region's partition has
// no dual stack.
Result<Origin> service_endpoint(Api api, const std::string& region, const Environment& environment,
                                const Profile& profile);

// An error if FIPS or dual stack are asked for, which a URL of one's own contradicts.
Status allows_url(const Environment& environment, const Profile& profile);

}  // namespace quire::dynamodb
