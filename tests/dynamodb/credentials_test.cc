#include "dynamodb/credentials.h"

#include <gtest/gtest.h>

#include <map>

#include "quire/ulid.h"

namespace quire::dynamodb {
namespace {

Environment environment(std::map<std::string, std::string> values) {
  return [values](const char* name) {
    auto at = values.find(name);
    return at == values.end() ? std::string() : at->second;
  };
}

TEST(Credentials, OfTheEnvironmentNeedBothKeys) {
  auto found = credentials_of(environment({{"AWS_ACCESS_KEY_ID", "AKID"},
                                           {"AWS_SECRET_ACCESS_KEY", "secret"},
                                           {"AWS_SESSION_TOKEN", "token"}}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->access_key, "AKID");
  EXPECT_EQ(found->secret_key, "secret");
  EXPECT_EQ(found->session_token, "token");
  EXPECT_FALSE(credentials_of(environment({{"AWS_ACCESS_KEY_ID", "AKID"}})));
  EXPECT_FALSE(credentials_of(environment({})));
}

constexpr std::string_view file =
    "# remarks\n"
    "[default]\r\n"
    "aws_access_key_id = AKID\r\n"
    "aws_secret_access_key=abc=/+\n"
    "\n"
    "[ shop ]\n"
    "  aws_access_key_id=SHOP\n"
    "aws_secret_access_key = secret\n"
    "; aws_session_token = no\n"
    "aws_session_token = token\n"
    "region = eu-west-1\n"
    "[half]\n"
    "aws_access_key_id = HALF\n"
    "[profile other]\n"
    "aws_access_key_id = OTHER\n"
    "aws_secret_access_key = last";

TEST(Credentials, OfAProfileAreThoseOfItsSection) {
  EXPECT_EQ(credentials_of_profile(file, "default")->secret_key, "abc=/+");
  EXPECT_EQ(credentials_of_profile(file, "default")->session_token, "");
  EXPECT_EQ(credentials_of_profile(file, "shop")->access_key, "SHOP");
  EXPECT_EQ(credentials_of_profile(file, "shop")->session_token, "token");
  EXPECT_EQ(credentials_of_profile(file, "other")->secret_key, "last");
  for (std::string_view none : {"half", "nobody", ""})
    EXPECT_FALSE(credentials_of_profile(file, none)) << none;
  for (std::string_view odd : {"", "[", "[]", "=", "[default]\n=", "[default\naws_access_key_id"})
    EXPECT_FALSE(credentials_of_profile(odd, "default")) << odd;
}

TEST(Credentials, OfAnEndpointExpire) {
  auto found = credentials_of_answer(
      R"({"Code":"Success","AccessKeyId":"AKID","SecretAccessKey":"secret","Token":"token",)"
      R"("Expiration":"2026-11-21T10:00:00Z"})");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->session_token, "token");
  EXPECT_EQ(time_text(found->expires_ms), "2026-11-21T10:00:00.000Z");
  constexpr std::uint64_t minute = 60'000;
  EXPECT_FALSE(ageing(*found, found->expires_ms - 6 * minute));
  EXPECT_TRUE(ageing(*found, found->expires_ms - 5 * minute));
  EXPECT_TRUE(ageing(*found, found->expires_ms + minute));
  EXPECT_FALSE(ageing({"AKID", "secret"}, found->expires_ms));
}

TEST(Credentials, OfOtherTextsAreRefused) {
  for (std::string_view odd : {"", "{}", "[]", "null", R"({"AccessKeyId":"AKID"})",
                               R"({"AccessKeyId":"A","SecretAccessKey":"s","Expiration":"soon"})",
                               R"({"AccessKeyId":7,"SecretAccessKey":"s","Expiration":7})"})
    EXPECT_FALSE(credentials_of_answer(odd)) << odd;
}

TEST(CredentialsOf, AnEnvironmentMayEndWithALineBreak) {
  auto found = credentials_of([](const char*) { return std::string("plain\n"); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->secret_key, "plain");
}

// Credentials stand in headers: a line break would begin another header.
TEST(CredentialsOf, UnprintableCharactersAreRefused) {
  for (const char* odd : {"a\r\nX-Evil: 1", "a b", "a\nb", "\x7f", "\xc3\xa9"}) {
    auto environment = [&](const char* name) {
      return std::string(name == std::string_view("AWS_SESSION_TOKEN") ? odd : "plain");
    };
    EXPECT_FALSE(credentials_of(environment)) << odd;
  }
}

}  // namespace
}  // namespace quire::dynamodb
