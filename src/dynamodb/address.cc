#include "dynamodb/address.h"

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <boost/url.hpp>
#include <optional>

#include "base/text.h"
#include "base/try.h"

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

Error wrong(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), "store"};
}

// The variable decides where it is set, else the profile's key.
bool wished(const Environment& environment, const Profile& profile, const char* variable,
            std::string_view key) {
  auto value = environment(variable);
  return boost::beast::iequals(value.empty() ? value_in(profile.keys, key) : value, "true");
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

constexpr std::string_view scheme = "dynamodb:";
constexpr std::size_t max_skip_empty_s = 60;

// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html
bool is_table_name(std::string_view name) {
  return name.size() >= 3 && name.size() <= 255 &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-' || c == '.';
         });
}

Result<HttpOrigin> endpoint_of(const std::string& url) {
  auto origin = parse_origin(url);
  if (!origin) return wrong(origin.error().message);
  return origin;
}

std::optional<std::size_t> to_number(const std::string& text, std::size_t low, std::size_t high) {
  auto value = parse_integer<std::size_t>(text);
  if (value && (*value < low || *value > high)) return {};
  return value;
}

Status set_parameter(Address& address, bool& has_endpoint, const std::string& name,
                     const std::string& value) {
  if (name == "region") {
    address.region = value;
  } else if (name == "endpoint") {
    TRY(address.endpoint, endpoint_of(value));
    has_endpoint = true;
  } else if (name == "statistics" && (value == "write" || value == "stream")) {
    address.statistics = value == "write" ? StatisticsBy::write : StatisticsBy::stream;
  } else if (name == "profile" && !value.empty()) {
    address.profile = value;
  } else if (name == "leaders" && to_number(value, 1, 32)) {
    address.leaders = *to_number(value, 1, 32);
  } else if (name == "map" && !value.empty()) {
    address.map = percent_decode(value).value_or(value);
  } else if (name == "skip-empty" && to_number(value, 0, max_skip_empty_s)) {
    address.skip_empty = std::chrono::seconds(*to_number(value, 0, max_skip_empty_s));
  } else {
    return wrong(
        "A table's address takes region=, endpoint=, profile=, statistics=write or stream, "
        "leaders=1 to 32, skip-empty=0 to 60 and map=FILE, not \"" +
        name + "=" + value + "\".");
  }
  return Done{};
}

// Where requests of an address go whose endpoint is this, or that names none.
Status set_endpoints(Address& address, bool has_endpoint, const Configuration& configuration) {
  const auto& environment = configuration.environment;
  auto profile = read_profile(configuration, address.profile);
  if (address.region.empty()) address.region = region_of(environment, profile);
  if (!is_region(address.region)) {
    return wrong("The table's region is not known. Write dynamodb:" + address.table +
                 "?region=eu-west-1, or set AWS_REGION.");
  }
  if (has_endpoint) {
    address.streams = address.endpoint;
    return allows_url(environment, profile);
  }
  TRY(auto endpoint, service_endpoint(Api::dynamodb, address.region, environment, profile));
  TRY(auto streams, service_endpoint(Api::streams, address.region, environment, profile));
  address.endpoint = endpoint;
  address.streams = streams;
  return Done{};
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
  return wrong(
      std::string(fips ? "AWS_USE_FIPS_ENDPOINT" : "AWS_USE_DUALSTACK_ENDPOINT") +
      " chooses among AWS's own endpoints, but another endpoint is named. Take back one of them.");
}

Result<HttpOrigin> service_endpoint(Api api, const std::string& region,
                                    const Environment& environment, const Profile& profile) {
  const auto& naming = namings[static_cast<std::size_t>(api)];
  auto url = url_of(naming, environment, profile);
  if (!url.empty()) {
    TRY_DONE(allows_url(environment, profile));
    return endpoint_of(url);
  }
  if (!is_region(region)) return wrong("\"" + region + "\" is not a region.");
  const auto& partition =
      *std::find_if(partitions.begin(), partitions.end(),
                    [&](const auto& each) { return region.starts_with(each.regions); });
  bool fips = wishes_fips(environment, profile);
  bool dual_stack = wishes_dual_stack(environment, profile);
  if (dual_stack && partition.dual_stack.empty()) {
    return wrong("AWS_USE_DUALSTACK_ENDPOINT is set, but the region " + region +
                 " has no endpoints of dual stack. Unset it.");
  }
  // The plain endpoints of GovCloud are those with FIPS.
  if (partition.regions == "us-gov-" && !dual_stack) fips = false;
  std::string host = fips ? naming.fips : naming.host;
  if (dual_stack) host = with_dual_stack(api, std::move(host));
  auto suffix = dual_stack ? partition.dual_stack : partition.suffix;
  return HttpOrigin{true, host + "." + region + "." + std::string(suffix), "443"};
}

Result<Address> parse_address(std::string_view text, std::string_view region) {
  auto only_region = [region](const char* name) {
    return std::string(std::string_view(name) == "AWS_REGION" ? region : "");
  };
  auto no_file = [](const std::string&) { return std::optional<std::string>(); };
  return parse_address(text, Configuration{only_region, no_file});
}

Result<Address> parse_address(std::string_view text, const Configuration& configuration) {
  if (!text.starts_with(scheme)) return wrong("A table's address begins with dynamodb:.");
  text.remove_prefix(scheme.size());
  auto question = text.find('?');
  Address address{std::string(text.substr(0, question)), {}, {}, {}};
  if (!is_table_name(address.table)) {
    return wrong(
        "\"" + address.table +
        "\" is not a table's name. Take 3 to 255 letters, digits, \"_\", \"-\" and \".\".");
  }
  bool has_endpoint = false;
  if (question != text.npos) {
    auto query = boost::urls::parse_query(text.substr(question + 1));
    if (!query) return wrong("The part after \"?\" in the table's address is not a query string.");
    for (auto each : *query) {
      boost::urls::param decoded(each);
      TRY_DONE(set_parameter(address, has_endpoint, decoded.key, decoded.value));
    }
  }
  TRY_DONE(set_endpoints(address, has_endpoint, configuration));
  return address;
}

}  // namespace quire::dynamodb
