#include "dynamodb/credentials/credentials.h"

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

TEST(Credentials, OfAProfileNeedBothKeys) {
  EXPECT_EQ(credentials_of({{"aws_access_key_id", "AKID"}, {"aws_secret_access_key", "a=/+"}})
                ->secret_key,
            "a=/+");
  EXPECT_FALSE(credentials_of(Section{{"aws_access_key_id", "AKID"}}));
}

TEST(Credentials, OfAProcessMayLast) {
  auto found = credentials_of_process(
      R"({"Version":1,"AccessKeyId":"AKID","SecretAccessKey":"secret","SessionToken":"token",)"
      R"("Expiration":"2026-11-21T10:00:00Z"})");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->session_token, "token");
  EXPECT_EQ(time_text(found->expires_ms), "2026-11-21T10:00:00.000Z");
  found =
      credentials_of_process(R"({"Version":1,"AccessKeyId":"AKID","SecretAccessKey":"secret"})");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->expires_ms, 0u);
}

TEST(Credentials, OfSingleSignOnExpire) {
  auto found = credentials_of_sign_on(
      R"({"roleCredentials":{"accessKeyId":"AKID","secretAccessKey":"secret",)"
      R"("sessionToken":"token","expiration":1732104060155}})");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->access_key, "AKID");
  EXPECT_EQ(found->session_token, "token");
  EXPECT_EQ(found->expires_ms, 1732104060155u);
}

TEST(Credentials, OfARoleExpire) {
  auto found = credentials_of_role(
      "<AssumeRoleWithWebIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">\n"
      "<AssumeRoleWithWebIdentityResult><Credentials>\n<SessionToken>token</SessionToken>"
      "<SecretAccessKey>a=/+</SecretAccessKey>\n<Expiration>2026-11-21T10:00:00Z</Expiration>"
      "<AccessKeyId>AKID</AccessKeyId></Credentials></AssumeRoleWithWebIdentityResult>");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->access_key, "AKID");
  EXPECT_EQ(found->secret_key, "a=/+");
  EXPECT_EQ(found->session_token, "token");
  EXPECT_EQ(time_text(found->expires_ms), "2026-11-21T10:00:00.000Z");
}

TEST(Credentials, OfOtherTextsAreRefused) {
  for (std::string_view odd :
       {"", "{}", "[]", "null", R"({"AccessKeyId":"AKID"})",
        R"({"AccessKeyId":"A","SecretAccessKey":"s","Expiration":"soon"})",
        R"({"AccessKeyId":7,"SecretAccessKey":"s","Expiration":7})",
        R"({"Version":2,"AccessKeyId":"A","SecretAccessKey":"s"})",
        R"({"Version":1,"AccessKeyId":"A","SecretAccessKey":"s","Expiration":"soon"})",
        R"({"roleCredentials":[]})",
        R"({"roleCredentials":{"accessKeyId":"A","secretAccessKey":"s"}})",
        R"({"roleCredentials":{"accessKeyId":"A","secretAccessKey":"s","expiration":-1}})",
        "<Credentials>", "<Credentials></Credentials>", "<AccessKeyId>A</AccessKeyId>",
        "<Credentials><AccessKeyId>A</AccessKeyId><SecretAccessKey>s</SecretAccessKey>"
        "<Expiration>soon</Expiration></Credentials>",
        "<Credentials><AccessKeyId>A</AccessKeyId><SecretAccessKey>s</Expiration>"}) {
    EXPECT_FALSE(credentials_of_answer(odd)) << odd;
    EXPECT_FALSE(credentials_of_process(odd)) << odd;
    EXPECT_FALSE(credentials_of_sign_on(odd)) << odd;
    EXPECT_FALSE(credentials_of_role(odd)) << odd;
  }
}

TEST(CredentialsOf, AnEnvironmentMayEndWithALineBreak) {
  auto found = credentials_of(Environment([](const char*) { return std::string("plain\n"); }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->secret_key, "plain");
}

// Credentials stand in headers: a line break would begin another header.
TEST(CredentialsOf, UnprintableCharactersAreRefused) {
  for (const char* odd : {"a\r\nX-Evil: 1", "a b", "a\nb", "\x7f", "\xc3\xa9"}) {
    auto environment = [&](const char* name) {
      return std::string(name == std::string_view("AWS_SESSION_TOKEN") ? odd : "plain");
    };
    EXPECT_FALSE(credentials_of(Environment(environment))) << odd;
  }
}

}  // namespace
}  // namespace quire::dynamodb
