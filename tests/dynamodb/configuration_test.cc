// The shared files.
#include "dynamodb/configuration.h"

#include <gtest/gtest.h>

namespace quire::dynamodb {
namespace {

constexpr std::string_view file =
    "# remarks\n"
    "[default]\r\n"
    "aws_access_key_id = AKID\r\n"
    "aws_secret_access_key=abc=/+\n"
    "\n"
    "[ shop ]\n"
    "  region=eu-west-1\n"
    "output = json\n"
    "; output = no\n"
    "[profile other]\n"
    "s3 =\n"
    "  region = no\n"
    "\tendpoint_url = https://s3.example\n"
    "region = eu-west-3\n"
    "[services shop]\n"
    "dynamodb =\n"
    "  endpoint_url = https://table.example\n"
    "sts =\n"
    "  endpoint_url = https://sts.example\n"
    "[sso-session shop]\n"
    "sso_region = eu-west-2";

TEST(Section, HasTheKeysUnderItsHeading) {
  EXPECT_EQ(section_of(file, "default"),
            (Section{{"aws_access_key_id", "AKID"}, {"aws_secret_access_key", "abc=/+"}}));
  EXPECT_EQ(section_of(file, "shop"), (Section{{"region", "eu-west-1"}, {"output", "json"}}));
  EXPECT_EQ(section_of(file, "sso-session shop"), (Section{{"sso_region", "eu-west-2"}}));
  for (auto nobody : {"nobody", "", "services", "session"})
    EXPECT_EQ(section_of(file, nobody), Section{}) << nobody;
  for (std::string_view odd :
       {"", "[", "[]", "=", "[default]\n", "[default]\nregion", "\n\n[default"})
    EXPECT_EQ(section_of(odd, "default"), Section{}) << odd;
}

TEST(Section, KeepsTheKeysOfABlockApart) {
  EXPECT_EQ(section_of(file, "other"), (Section{{"s3", ""},
                                                {"s3.region", "no"},
                                                {"s3.endpoint_url", "https://s3.example"},
                                                {"region", "eu-west-3"}}));
  EXPECT_EQ(value_in(section_of(file, "services shop"), "sts.endpoint_url"), "https://sts.example");
}

Profile read(std::map<std::string, std::string> files, const std::string& name = "") {
  auto environment = [](const char* variable) {
    return std::string(std::string_view(variable) == "HOME" ? "/home" : "");
  };
  auto read_file = [&](const std::string& path) -> std::optional<std::string> {
    auto at = files.find(path);
    if (at == files.end()) return {};
    return at->second;
  };
  return read_profile({environment, read_file}, name);
}

TEST(Profile, TakesItsKeysFromOneFile) {
  const std::string keys = "aws_access_key_id=A\naws_secret_access_key=B\n";
  auto both = read({{"/home/.aws/credentials", "[default]\n" + keys + "region=one\n"},
                    {"/home/.aws/config",
                     "[default]\naws_access_key_id=C\naws_secret_access_key=D\n"
                     "aws_session_token=E\nregion=two\nuse_fips_endpoint=true\n"}});
  EXPECT_EQ(both.name, "default");
  EXPECT_EQ(both.keys, (Section{{"aws_access_key_id", "A"},
                                {"aws_secret_access_key", "B"},
                                {"region", "one"},
                                {"use_fips_endpoint", "true"}}));
  auto half = read({{"/home/.aws/credentials", "[shop]\naws_access_key_id=C\n"},
                    {"/home/.aws/config", "[profile shop]\n" + keys}},
                   "shop");
  EXPECT_EQ(half.keys, (Section{{"aws_access_key_id", "A"}, {"aws_secret_access_key", "B"}}));
  EXPECT_EQ(read({}, "nobody").keys, Section{});
}

TEST(Profile, HasTheSectionsThatItNames) {
  std::string config = "[default]\nservices = shop\nsso_session=shop\n";
  auto profile = read({{"/home/.aws/config", config + std::string(file)}});
  EXPECT_EQ(value_in(profile.services, "dynamodb.endpoint_url"), "https://table.example");
  EXPECT_EQ(value_in(profile.session, "sso_region"), "eu-west-2");
}

}  // namespace
}  // namespace quire::dynamodb
