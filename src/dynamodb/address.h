// The address of a table:
// dynamodb:TABLE?region=R&endpoint=URL&statistics=stream&profile=P&leaders=N&skip-empty=S
// &map=FILE; and where AWS's services are.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "client/origin.h"
#include "dynamodb/configuration.h"
#include "quire/result.h"

namespace quire::dynamodb {

// What keeps the statistics items. `write`: each write of a comment, in the same transaction.
// `stream`: a worker that follows the table's stream; a write then touches the comment alone.
enum class StatisticsBy { write, stream };

struct Address {
  std::string table;
  std::string region;
  HttpOrigin endpoint;
  HttpOrigin streams;  // where requests about the table's stream go
  StatisticsBy statistics = StatisticsBy::write;
  std::string profile = {};  // of the shared credentials files; empty: the usual order of sources
  std::size_t leaders = 1;   // partitions of each leaderboard, 1 to 32
  std::string map = {};      // the file that maps a table that others made; empty: it is Quire's
  // Up to which age statistics may say that a list is empty, so that it is not asked; 0: never.
  std::chrono::seconds skip_empty{0};
};

// An address without a region or an endpoint takes those of the configuration.
// invalid_parameter: the text is no such address, or the configuration contradicts it.
Result<Address> parse_address(std::string_view text, const Configuration& configuration);
// In a configuration that says nothing but this region.
Result<Address> parse_address(std::string_view text, std::string_view region);

// Where AWS's services are: hosts by region, and the variables and keys of a profile that name
// others.
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
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
Result<HttpOrigin> service_endpoint(Api api, const std::string& region,
                                    const Environment& environment, const Profile& profile);

// An error if FIPS or dual stack are asked for, which a URL of one's own contradicts.
Status allows_url(const Environment& environment, const Profile& profile);

}  // namespace quire::dynamodb
