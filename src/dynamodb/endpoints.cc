#include "dynamodb/endpoints.h"

#include <algorithm>
#include <array>

namespace quire::dynamodb {
namespace {

// How variables and profiles name the service, and the first part of its hosts.
struct Naming {
  const char* variable;
  const char* key;
  const char* host;
  const char* fips;
};

constexpr std::array<Naming, 4> namings = {
    {{"AWS_ENDPOINT_URL_DYNAMODB", "dynamodb", "dynamodb", "dynamodb-fips"},
     {"AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "dynamodb_streams", "streams.dynamodb",
      "streams.dynamodb-fips"},
     {"AWS_ENDPOINT_URL_STS", "sts", "sts", "sts-fips"},
     {"AWS_ENDPOINT_URL_SSO", "sso", "portal.sso", "portal.sso-fips"}}};

// The regions whose names begin so, and the ends of their hosts' names.
struct Partition {
  std::string_view regions;
  std::string_view suffix;
  std::string_view dual_stack;  // empty: the partition has none
};

// The first that fits. As in the partitions.json of AWS's SDKs.
constexpr std::array<Partition, 8> partitions = {
    {{"cn-", "amazonaws.com.cn", "api.amazonwebservices.com.cn"},
     {"us-gov-", "amazonaws.com", "api.aws"},
     {"us-isob-", "sc2s.sgov.gov", ""},
     {"us-isof-", "csp.hci.ic.gov", ""},
     {"us-iso-", "c2s.ic.gov", ""},
     {"eu-isoe-", "cloud.adc-e.uk", ""},
     {"eusc-", "amazonaws.eu", "api.amazonwebservices.eu"},
     {"", "amazonaws.com", "api.aws"}}};

quire::Error not_usable(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), "store"};
}

bool is_true(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text == "true";
}

// The variable decides where it is set, else the profile's key.
bool wished(const Environment& environment, const Profile& profile, const char* variable,
            std::string_view key) {
  auto value = environment(variable);
  return is_true(value.empty() ? value_in(profile.keys, key) : value);
}

bool wishes_fips(const Environment& environment, const Profile& profile) {
  return wished(environment, profile, "AWS_USE_FIPS_ENDPOINT", "use_fips_endpoint");
}

bool wishes_dual_stack(const Environment& environment, const Profile& profile) {
  return wished(environment, profile, "AWS_USE_DUALSTACK_ENDPOINT", "use_dualstack_endpoint");
}

std::string url_of(const Naming& naming, const Environment& environment, const Profile& profile) {
  if (wished(environment, profile, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
             "ignore_configured_endpoint_urls"))
    return {};
  auto of_service = std::string(naming.key) + ".endpoint_url";
  for (const auto& url :
       {environment(naming.variable), environment("AWS_ENDPOINT_URL"),
        value_in(profile.services, of_service), value_in(profile.keys, "endpoint_url")}) {
    if (!url.empty()) return url;
  }
  return {};
}

// The hosts of the streams in dual stack have no point after "streams".
std::string with_dual_stack(Api api, std::string host) {
  if (api == Api::streams) host.replace(host.find('.'), 1, "-");
  return host;
}

}  // namespace

bool is_region(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

std::string region_of(const Environment& environment, const Profile& profile) {
  for (auto variable : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    auto region = environment(variable);
    if (!region.empty()) return region;
  }
  return value_in(profile.keys, "region");
}

Status allows_url(const Environment& environment, const Profile& profile) {
  bool fips = wishes_fips(environment, profile);
  if (!fips && !wishes_dual_stack(environment, profile)) return Done{};
  return not_usable(
      std::string(fips ? "AWS_USE_FIPS_ENDPOINT" : "AWS_USE_DUALSTACK_ENDPOINT") +
      " chooses among AWS's own endpoints, but another endpoint is named. Take back one of them.");
}

Result<Origin> service_endpoint(Api api, const std::string& region, const Environment& environment,
                                const Profile& profile) {
  const auto& naming = namings[static_cast<std::size_t>(api)];
  auto url = url_of(naming, environment, profile);
  if (!url.empty()) {
    auto allowed = allows_url(environment, profile);
    if (!allowed) return allowed.error();
    return parse_origin(url);
  }
  if (!is_region(region)) return not_usable("\"" + region + "\" is not a region.");
  const auto& partition =
      *std::find_if(partitions.begin(), partitions.end(),
                    [&](const auto& each) { return region.starts_with(each.regions); });
  bool fips = wishes_fips(environment, profile);
  bool dual_stack = wishes_dual_stack(environment, profile);
  if (dual_stack && partition.dual_stack.empty()) {
    return not_usable("AWS_USE_DUALSTACK_ENDPOINT is set, but the region " + region +
                      " has no endpoints of dual stack. Unset it.");
  }
  // The plain endpoints of GovCloud are those with FIPS.
  if (partition.regions == "us-gov-" && !dual_stack) fips = false;
  std::string host = fips ? naming.fips : naming.host;
  if (dual_stack) host = with_dual_stack(api, std::move(host));
  auto suffix = dual_stack ? partition.dual_stack : partition.suffix;
  return Origin{true, host + "." + region + "." + std::string(suffix), "443"};
}

}  // namespace quire::dynamodb
