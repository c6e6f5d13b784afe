// AWS's published examples: its Signature Version 4 test suite, and the worked example of its
// documentation (ListUsers).
#include "dynamodb/signing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace quire::dynamodb {
namespace {

constexpr std::uint64_t example_time = 1'440'938'160'000;  // 2015-08-30T12:36:00Z
const Credentials example{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"};

std::string value(const HttpRequest& request, std::string_view name) {
  for (const auto& [each, text] : request.headers) {
    if (each == name) return text;
  }
  return {};
}

std::string signature(HttpRequest request, const Scope& scope = {"us-east-1", "service"},
                      const Credentials& credentials = example) {
  sign(request, credentials, scope, example_time);
  auto text = value(request, "authorization");
  return text.substr(text.find("Signature=") + 10);
}

HttpRequest get(std::string query = {}) {
  return {
      .method = "GET", .query = std::move(query), .headers = {{"host", "example.amazonaws.com"}}};
}

TEST(Signing, OfTheTestSuiteIsAsPublished) {
  EXPECT_EQ(signature(get()), "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
  EXPECT_EQ(signature(get("Param2=value2&Param1=value1")),
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500");
  auto post = get();
  post.method = "POST";
  EXPECT_EQ(signature(post), "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b");
  post.headers.emplace_back("content-type", "application/x-www-form-urlencoded");
  post.body = "Param1=value1";
  EXPECT_EQ(signature(post), "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a");
}

TEST(Signing, OfTheDocumentationsExampleIsAsPublished) {
  HttpRequest request{
      .method = "GET",
      .query = "Action=ListUsers&Version=2010-05-08",
      .headers = {{"host", "iam.amazonaws.com"},
                  {"content-type", "application/x-www-form-urlencoded; charset=utf-8"}}};
  sign(request, example, {"us-east-1", "iam"}, example_time);
  EXPECT_EQ(value(request, "x-amz-date"), "20150830T123600Z");
  EXPECT_EQ(value(request, "authorization"),
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
            "SignedHeaders=content-type;host;x-amz-date, "
            "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7");
}

TEST(Signing, TrimsAndJoinsHeaders) {
  auto spaced = get(), plain = get();
  spaced.headers.emplace_back("my-header", "  a   b  c ");
  plain.headers.emplace_back("my-header", "a b c");
  EXPECT_EQ(signature(spaced), signature(plain));
  spaced.headers.emplace_back("my-header", "d");
  plain.headers.back().second = "a b c,d";
  EXPECT_EQ(signature(spaced), signature(plain));
}

TEST(Signing, CoversEveryPartOfTheRequest) {
  std::vector<std::string> seen{
      signature(get()), signature(get(), {"us-east-2", "service"}),
      signature(get(), {"us-east-1", "dynamodb"}),
      signature(get(), {"us-east-1", "service"}, {"AKIDEXAMPLE", "other"}), signature(get("a=b"))};
  auto with_token = example;
  with_token.session_token = "token";
  HttpRequest request = get();
  sign(request, with_token, {"us-east-1", "service"}, example_time);
  EXPECT_EQ(value(request, "x-amz-security-token"), "token");
  EXPECT_NE(value(request, "authorization").find("x-amz-security-token,"), std::string::npos);
  seen.push_back(signature(get(), {"us-east-1", "service"}, with_token));
  auto body = get();
  body.body = std::string("\0", 1);
  seen.push_back(signature(body));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

}  // namespace
}  // namespace quire::dynamodb
