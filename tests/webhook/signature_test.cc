#include "webhook/signature.h"

#include <gtest/gtest.h>

namespace quire::webhook {
namespace {

constexpr const char* published = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

TEST(Signature, IsThatOfThePublishedExample) {
  auto secret = parse_secret(published);
  ASSERT_TRUE(secret) << secret.error().message;
  EXPECT_EQ(
      signatures({*secret}, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, R"({"test": 2432232314})"),
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(Signature, IsThereForEachSecret) {
  auto first = *parse_secret(published);
  auto second = *parse_secret("whsec_" + std::string(43, 'A') + "=");
  auto one = signatures({first}, "a", 1, "{}"), other = signatures({second}, "a", 1, "{}");
  EXPECT_EQ(signatures({first, second}, "a", 1, "{}"), one + " " + other);
  EXPECT_NE(one, other);
  EXPECT_EQ(signatures({}, "a", 1, "{}"), "");
}

TEST(Signature, IsOfIdTimeAndBody) {
  std::vector<Secret> secrets{*parse_secret(published)};
  auto signature = signatures(secrets, "a", 1, "{}");
  EXPECT_NE(signatures(secrets, "b", 1, "{}"), signature);
  EXPECT_NE(signatures(secrets, "a", 2, "{}"), signature);
  EXPECT_NE(signatures(secrets, "a", 1, "{ }"), signature);
}

TEST(Secret, MayHaveALineEnd) {
  EXPECT_EQ(*parse_secret(std::string("  ") + published + "\r\n"), *parse_secret(published));
}

TEST(Secret, OfAnotherFormIsRefusedAndNotQuoted) {
  const std::string bytes24(32, 'A');
  for (const auto& text :
       {std::string(), std::string("whsec_"), bytes24, "whsec_" + std::string(28, 'A'),
        "whsec_" + std::string(88, 'A'), "whsec_" + bytes24 + "AA==x", "whsec_" + bytes24 + "*AAA",
        "whsec_" + std::string(16, 'A') + "====" + std::string(16, 'A'), "whsec_====" + bytes24,
        "whsec_" + bytes24 + "AB==", "whsk_" + bytes24, std::string(5000, 'A')}) {
    auto secret = parse_secret(text);
    ASSERT_FALSE(secret) << text;
    EXPECT_EQ(secret.error().message.find("AAAA"), std::string::npos);
  }
  EXPECT_EQ(parse_secret("whsec_" + std::string(86, 'A') + "==")->bytes.size(), 64u);
  EXPECT_EQ(parse_secret("whsec_" + bytes24)->bytes.size(), 24u);
}

}  // namespace
}  // namespace quire::webhook
