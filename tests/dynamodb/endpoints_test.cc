// Where requests go, by region, variables and profile.
#include "dynamodb/address.h"

#include <gtest/gtest.h>

namespace quire::dynamodb {
namespace {

class Endpoints : public testing::Test {
 protected:
  // The host, or the refusal.
  std::string host(Api api, const std::string& region) {
    auto found = service_endpoint(api, region, environment(), profile_);
    if (!found) return found.error().message;
    return (found->tls ? "" : "http://") + found->authority();
  }
  // The hosts of the table and of its streams, for an address.
  std::string hosts(const std::string& parameters) {
    auto address = parse_address("dynamodb:comments" + parameters, {environment(), read_file()});
    if (!address) return address.error().message;
    return address->endpoint.authority() + " " + address->streams.authority();
  }
  Environment environment() {
    return [this](const char* name) { return variables_[name]; };
  }
  ReadFile read_file() {
    return [this](const std::string& path) -> std::optional<std::string> {
      if (path == "/.aws/config") return config_;
      return {};
    };
  }

  std::map<std::string, std::string> variables_;
  std::string config_;
  Profile profile_;
};

const std::string fips_variable = "AWS_USE_FIPS_ENDPOINT";
const std::string dual_variable = "AWS_USE_DUALSTACK_ENDPOINT";

// As the endpoint rules of AWS's SDKs have them.
TEST_F(Endpoints, AreThoseOfTheRegionsPartition) {
  EXPECT_EQ(host(Api::dynamodb, "eu-west-1"), "dynamodb.eu-west-1.amazonaws.com");
  EXPECT_EQ(host(Api::streams, "eu-west-1"), "streams.dynamodb.eu-west-1.amazonaws.com");
  EXPECT_EQ(host(Api::sts, "ap-south-1"), "sts.ap-south-1.amazonaws.com");
  EXPECT_EQ(host(Api::sso, "us-east-1"), "portal.sso.us-east-1.amazonaws.com");
  EXPECT_EQ(host(Api::dynamodb, "cn-north-1"), "dynamodb.cn-north-1.amazonaws.com.cn");
  EXPECT_EQ(host(Api::streams, "cn-north-1"), "streams.dynamodb.cn-north-1.amazonaws.com.cn");
  EXPECT_EQ(host(Api::dynamodb, "us-gov-west-1"), "dynamodb.us-gov-west-1.amazonaws.com");
  EXPECT_EQ(host(Api::dynamodb, "us-iso-east-1"), "dynamodb.us-iso-east-1.c2s.ic.gov");
  EXPECT_EQ(host(Api::dynamodb, "us-isob-east-1"), "dynamodb.us-isob-east-1.sc2s.sgov.gov");
  EXPECT_EQ(host(Api::sts, "eu-isoe-west-1"), "sts.eu-isoe-west-1.cloud.adc-e.uk");
  EXPECT_EQ(host(Api::sts, "us-isof-south-1"), "sts.us-isof-south-1.csp.hci.ic.gov");
  EXPECT_EQ(host(Api::sts, "eusc-de-east-1"), "sts.eusc-de-east-1.amazonaws.eu");
  EXPECT_EQ(host(Api::sts, "a.b"), "\"a.b\" is not a region.");
}

TEST_F(Endpoints, WithFips) {
  variables_[fips_variable] = "TRUE";
  EXPECT_EQ(host(Api::dynamodb, "us-east-1"), "dynamodb-fips.us-east-1.amazonaws.com");
  EXPECT_EQ(host(Api::streams, "us-east-1"), "streams.dynamodb-fips.us-east-1.amazonaws.com");
  EXPECT_EQ(host(Api::sts, "us-east-1"), "sts-fips.us-east-1.amazonaws.com");
  EXPECT_EQ(host(Api::sso, "us-east-1"), "portal.sso-fips.us-east-1.amazonaws.com");
  EXPECT_EQ(host(Api::dynamodb, "us-gov-west-1"), "dynamodb.us-gov-west-1.amazonaws.com");
  EXPECT_EQ(host(Api::streams, "us-gov-east-1"), "streams.dynamodb.us-gov-east-1.amazonaws.com");
  EXPECT_EQ(host(Api::sts, "us-gov-east-1"), "sts.us-gov-east-1.amazonaws.com");
}

TEST_F(Endpoints, WithDualStack) {
  variables_[dual_variable] = "true";
  EXPECT_EQ(host(Api::dynamodb, "eu-west-1"), "dynamodb.eu-west-1.api.aws");
  EXPECT_EQ(host(Api::streams, "eu-west-1"), "streams-dynamodb.eu-west-1.api.aws");
  EXPECT_EQ(host(Api::dynamodb, "cn-north-1"), "dynamodb.cn-north-1.api.amazonwebservices.com.cn");
  EXPECT_EQ(host(Api::dynamodb, "us-gov-west-1"), "dynamodb.us-gov-west-1.api.aws");
  EXPECT_NE(host(Api::dynamodb, "us-iso-east-1").find("no endpoints of dual stack"),
            std::string::npos);
  variables_[fips_variable] = "true";
  EXPECT_EQ(host(Api::dynamodb, "us-east-1"), "dynamodb-fips.us-east-1.api.aws");
  EXPECT_EQ(host(Api::streams, "us-east-1"), "streams-dynamodb-fips.us-east-1.api.aws");
  EXPECT_EQ(host(Api::dynamodb, "us-gov-west-1"), "dynamodb-fips.us-gov-west-1.api.aws");
}

TEST_F(Endpoints, AreRatherThoseThatAreNamed) {
  profile_.keys = {{"endpoint_url", "http://profile:1"}};
  EXPECT_EQ(host(Api::sts, "eu-west-1"), "http://profile:1");
  profile_.services = {{"sts.endpoint_url", "http://services:2"}};
  EXPECT_EQ(host(Api::sts, "eu-west-1"), "http://services:2");
  EXPECT_EQ(host(Api::sso, "eu-west-1"), "http://profile:1");
  variables_["AWS_ENDPOINT_URL"] = "http://all:3";
  EXPECT_EQ(host(Api::sts, "eu-west-1"), "http://all:3");
  variables_["AWS_ENDPOINT_URL_STS"] = "http://sts:4";
  EXPECT_EQ(host(Api::sts, ""), "http://sts:4");
  EXPECT_EQ(host(Api::streams, "eu-west-1"), "http://all:3");
  variables_["AWS_ENDPOINT_URL_DYNAMODB_STREAMS"] = "http://streams:5";
  EXPECT_EQ(host(Api::streams, "eu-west-1"), "http://streams:5");
  EXPECT_EQ(host(Api::dynamodb, "eu-west-1"), "http://all:3");
  variables_["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "true";
  EXPECT_EQ(host(Api::sts, "eu-west-1"), "sts.eu-west-1.amazonaws.com");
}

TEST_F(Endpoints, ThatAreNamedContradictFipsAndDualStack) {
  variables_["AWS_ENDPOINT_URL_DYNAMODB"] = "http://127.0.0.1:8000";
  for (const auto& variable : {fips_variable, dual_variable}) {
    variables_[variable] = "true";
    EXPECT_TRUE(host(Api::dynamodb, "eu-west-1").starts_with(variable + " chooses"));
    EXPECT_TRUE(hosts("?region=eu-west-1&endpoint=http://127.0.0.1:1").starts_with(variable));
    variables_[variable] = "false";
    EXPECT_EQ(host(Api::dynamodb, "eu-west-1"), "http://127.0.0.1:8000");
  }
  variables_["AWS_ENDPOINT_URL_DYNAMODB"] = "127.0.0.1";
  EXPECT_TRUE(host(Api::dynamodb, "eu-west-1").starts_with("An endpoint is http:// or https://"));
}

TEST_F(Endpoints, OfAnAddressAreItsOwnFirst) {
  config_ =
      "[default]\nregion = eu-west-2\nuse_fips_endpoint = true\n"
      "[profile local]\nregion = eu-west-3\nendpoint_url = http://127.0.0.1:1\n";
  EXPECT_EQ(hosts(""),
            "dynamodb-fips.eu-west-2.amazonaws.com streams.dynamodb-fips.eu-west-2.amazonaws.com");
  EXPECT_EQ(hosts("?profile=local"), "127.0.0.1:1 127.0.0.1:1");
  EXPECT_EQ(hosts("?profile=local&endpoint=http://127.0.0.1:2"), "127.0.0.1:2 127.0.0.1:2");
  variables_["AWS_DEFAULT_REGION"] = "eu-west-4";
  variables_[fips_variable] = "false";
  EXPECT_EQ(hosts(""), "dynamodb.eu-west-4.amazonaws.com streams.dynamodb.eu-west-4.amazonaws.com");
  variables_["AWS_REGION"] = "eu-west-5";
  EXPECT_EQ(hosts(""), "dynamodb.eu-west-5.amazonaws.com streams.dynamodb.eu-west-5.amazonaws.com");
  EXPECT_EQ(hosts("?region=eu-west-6"),
            "dynamodb.eu-west-6.amazonaws.com streams.dynamodb.eu-west-6.amazonaws.com");
  variables_.clear();
  config_.clear();
  EXPECT_TRUE(hosts("").starts_with("The table's region is not known."));
}

}  // namespace
}  // namespace quire::dynamodb
