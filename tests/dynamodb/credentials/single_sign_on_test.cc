#include "dynamodb/credentials/services.h"

#include "dynamodb/credentials/places.h"

namespace quire::dynamodb {
namespace {

const std::string portal = "https://portal.sso.eu-central-1.amazonaws.com/federation/credentials";
const std::string query = "?role_name=Reader&account_id=123456789012";
const std::string session =  // SHA-1 of "shop"
    "/home/shop/.aws/sso/cache/5042d146667518a1a5017644946b8650aafca44c.json";

class SignOn : public Sources {
 protected:
  void SetUp() override {
    files_["/home/shop/.aws/config"] =
        "[profile shop]\nsso_session = shop\nsso_account_id = 123456789012\n"
        "sso_role_name = Reader\n"
        "[sso-session shop]\nsso_region = eu-central-1\n"
        "sso_start_url = https://shop.awsapps.com/start\n";
    caches(session, "bearer", "2024-11-20T13:00:00Z");
    endpoints_[portal + query] =
        R"({"roleCredentials":{"accessKeyId":"SIGNED","secretAccessKey":"secret",)"
        R"("sessionToken":"token","expiration":)" +
        std::to_string(now_ms_ + 60 * minute) + "}}";
  }
  void caches(const std::string& path, const std::string& token, const std::string& expires) {
    files_[path] = R"({"startUrl":"https://shop.awsapps.com/start","accessToken":")" + token +
                   R"(","expiresAt":")" + expires + R"("})";
  }
};

TEST_F(SignOn, GivesTheRolesCredentialsForTheCachedToken) {
  EXPECT_EQ(find("shop"), "SIGNED");
  EXPECT_EQ(asked_, Sentences{"GET " + portal + query});
  EXPECT_EQ(headers_["x-amz-sso_bearer_token"], "bearer");
  EXPECT_EQ(headers_["host"], "portal.sso.eu-central-1.amazonaws.com");
}

TEST_F(SignOn, MayBeWithoutASession) {
  files_["/home/shop/.aws/config"] =
      "[profile shop]\nsso_start_url = https://shop.awsapps.com/start\nsso_region = eu-central-1\n"
      "sso_account_id = 123456789012\nsso_role_name = Reader\n";
  files_.erase(session);
  caches("/home/shop/.aws/sso/cache/20d891dca86750d4e829b4c761c9817f4b93df76.json", "bearer",
         "2024-11-20T13:00:00UTC");
  EXPECT_EQ(find("shop"), "SIGNED");
}

TEST_F(SignOn, ThatHasEndedNamesTheCommand) {
  const std::string command = " Run: aws sso login --profile shop";
  auto says = [&](const std::string& why) {
    return "There are no credentials for the table: " + why + command;
  };
  status_ = 401;
  EXPECT_EQ(refusal("shop"), says("the single sign-on was ended."));
  now_ms_ += 60 * minute;
  EXPECT_EQ(refusal("shop"), says("the single sign-on has expired."));
  for (auto odd : {"", "two words", "a\\r\\nhost: far"}) {
    caches(session, odd, "2024-11-20T15:00:00Z");
    EXPECT_EQ(refusal("shop"), says("the cached token of single sign-on is damaged.")) << odd;
  }
  caches(session, "bearer", "soon");
  EXPECT_EQ(refusal("shop"), says("the cached token of single sign-on is damaged."));
  files_[session] = "[]";
  EXPECT_EQ(refusal("shop"), says("nobody has signed on for the profile."));
  files_.erase(session);
  EXPECT_EQ(refusal("shop"), says("nobody has signed on for the profile."));
}

TEST_F(SignOn, ThatIsRefusedSaysWhatToDo) {
  status_ = 403;
  EXPECT_EQ(refusal("shop"),
            "There are no credentials for the table: the single sign-on refuses the role of the "
            "profile shop (status 403). Check sso_account_id and sso_role_name.");
  endpoints_.clear();
  EXPECT_NE(refusal("shop").find("portal.sso.eu-central-1.amazonaws.com) does not answer"),
            std::string::npos);
  files_["/home/shop/.aws/config"] = "[profile shop]\nsso_account_id = 1\n";
  EXPECT_NE(refusal("shop").find("aws configure sso"), std::string::npos);
}

}  // namespace
}  // namespace quire::dynamodb
