// The order of the places, the hosts among them, and when credentials are renewed.
#include "dynamodb/credentials/provider.h"

#include "dynamodb/credentials/places.h"

namespace quire::dynamodb {
namespace {

const std::string roles = "169.254.169.254/latest/meta-data/iam/security-credentials/";

TEST_F(Sources, AreTriedOneAfterTheOther) {
  environment_["AWS_ACCESS_KEY_ID"] = "ENVIRONMENT";
  environment_["AWS_SECRET_ACCESS_KEY"] = "secret";
  files_["/home/shop/.aws/credentials"] = profile("default", "FILE");
  files_["/home/shop/.aws/config"] = profile("default", "CONFIG");
  environment_["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/v2/keys";
  gives("169.254.170.2/v2/keys", "CONTAINER", 60);
  endpoints_["169.254.169.254/latest/api/token"] = "session";
  endpoints_[roles] = "role";
  gives(roles + "role", "INSTANCE", 60);

  environment_["AWS_WEB_IDENTITY_TOKEN_FILE"] = "/run/identity";
  environment_["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/shop";
  files_["/run/identity"] = "jwt";
  assumes("https://sts.eu-west-1.amazonaws.com/", "IDENTITY", 60);

  EXPECT_EQ(find(), "ENVIRONMENT");
  environment_.erase("AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(find(), "IDENTITY");
  environment_.erase("AWS_WEB_IDENTITY_TOKEN_FILE");
  asked_.clear();
  EXPECT_EQ(find(), "FILE");
  files_.erase("/home/shop/.aws/credentials");
  EXPECT_EQ(find(), "CONFIG");
  files_.clear();
  EXPECT_EQ(asked_, Sentences{}) << "no endpoint where it is not needed";
  EXPECT_EQ(find(), "CONTAINER");
  EXPECT_EQ(asked_, Sentences{"GET 169.254.170.2/v2/keys"});
  environment_.erase("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  EXPECT_EQ(find(), "INSTANCE");
  endpoints_.clear();
  EXPECT_EQ(find(), "none");
}

TEST_F(Sources, AreOnlyTheChosenProfileIfThereIsOne) {
  environment_["AWS_ACCESS_KEY_ID"] = "ENVIRONMENT";
  environment_["AWS_SECRET_ACCESS_KEY"] = "secret";
  files_["/home/shop/.aws/credentials"] = profile("default", "FILE");
  files_["/home/shop/.aws/config"] = profile("profile shop", "SHOP");
  EXPECT_EQ(find("shop"), "SHOP");
  EXPECT_EQ(find("nobody"), "none");
  EXPECT_EQ(asked_, Sentences{});
}

TEST_F(Sources, AreTheProfileAndTheFilesThatTheEnvironmentNames) {
  environment_["AWS_SHARED_CREDENTIALS_FILE"] = "/run/keys";
  environment_["AWS_CONFIG_FILE"] = "/run/config";
  files_["/home/shop/.aws/credentials"] = profile("default", "NO") + profile("shop", "NO");
  files_["/run/keys"] = profile("default", "FILE");
  files_["/run/config"] = profile("profile shop", "SHOP");
  EXPECT_EQ(find(), "FILE");
  environment_["AWS_PROFILE"] = "shop";
  EXPECT_EQ(find(), "SHOP");
}

TEST_F(Sources, InAContainerAreAskedWithItsToken) {
  environment_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://127.0.0.1:8080/keys?of=shop";
  gives("127.0.0.1:8080/keys?of=shop", "CONTAINER", 60);
  EXPECT_EQ(find(), "CONTAINER");
  EXPECT_EQ(headers_["host"], "127.0.0.1:8080");
  EXPECT_FALSE(headers_.contains("authorization"));
  environment_["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "Bearer one";
  EXPECT_EQ(find(), "CONTAINER");
  EXPECT_EQ(headers_["authorization"], "Bearer one");
  environment_["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = "/run/token";
  files_["/run/token"] = "Bearer two\r\n";
  EXPECT_EQ(find(), "CONTAINER");
  EXPECT_EQ(headers_["authorization"], "Bearer two");
  files_["/run/token"] = "Bearer two\r\nhost: far";
  EXPECT_EQ(find(), "none");
}

TEST_F(Sources, InAContainerAreAskedWithoutTlsOnlyOnTheLocalNetwork) {
  auto asks = [&](const std::string& url) {
    environment_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = url;
    environment_["AWS_EC2_METADATA_DISABLED"] = "true";
    asked_.clear();
    find();
    return !asked_.empty();
  };
  for (auto near : {"http://localhost/keys", "http://127.0.0.1/keys", "http://127.1.2.3:81/keys",
                    "http://[::1]/keys", "http://169.254.170.2/keys", "http://169.254.170.23/keys",
                    "http://[fd00:ec2::23]/keys", "https://keys.example/keys"})
    EXPECT_TRUE(asks(near)) << near;
  for (auto far : {"http://keys.example/keys", "http://169.254.170.24/keys", "http://10.0.0.1/keys",
                   "http://127.keys.example/keys", "http://localhost.keys.example/keys",
                   "ftp://127.0.0.1/keys", "keys", ""})
    EXPECT_FALSE(asks(far)) << far;
}

TEST_F(Sources, OfAnInstanceNeedASessionFirst) {
  endpoints_["169.254.169.254/latest/api/token"] = "session";
  endpoints_[roles] = "role\nanother";
  gives(roles + "role", "INSTANCE", 60);
  EXPECT_EQ(find(), "INSTANCE");
  EXPECT_EQ(asked_, (Sentences{"PUT 169.254.169.254/latest/api/token", "GET " + roles,
                               "GET " + roles + "role"}));
  EXPECT_EQ(headers_["x-aws-ec2-metadata-token"], "session");
  EXPECT_EQ(headers_["host"], "169.254.169.254");

  asked_.clear();
  endpoints_[roles] = "a role";
  EXPECT_EQ(find(), "none");
  EXPECT_EQ(asked_.size(), 2u) << "it would be no address";

  asked_.clear();
  endpoints_["169.254.169.254/latest/api/token"] = "session\r\nhost: far";
  EXPECT_EQ(find(), "none");
  EXPECT_EQ(asked_.size(), 1u) << "it would be another header";

  asked_.clear();
  endpoints_.erase("169.254.169.254/latest/api/token");
  EXPECT_EQ(find(), "none");
  EXPECT_EQ(asked_.size(), 1u) << "nothing is asked without a session";

  asked_.clear();
  for (const auto* yes : {"true", "True", "TRUE"}) {
    environment_["AWS_EC2_METADATA_DISABLED"] = yes;
    EXPECT_EQ(find(), "none");
    EXPECT_EQ(asked_, Sentences{}) << yes;
  }
}

TEST_F(Sources, OfAnInstanceAreUsedALittlePastTheirEnd) {
  endpoints_["169.254.169.254/latest/api/token"] = "session";
  endpoints_[roles] = "role";
  gives(roles + "role", "OLD", 60);
  Provider provider{sources(), "", "eu-west-1"};
  EXPECT_EQ(get(provider), "OLD");
  now_ms_ += 70 * minute;  // the service gives the same ones, which have ended
  EXPECT_EQ(get(provider), "OLD");
  endpoints_.clear();  // and now nothing
  now_ms_ += 14 * minute;
  EXPECT_EQ(get(provider), "OLD");
  now_ms_ += 2 * minute;
  EXPECT_EQ(get(provider), "none");
  endpoints_["169.254.169.254/latest/api/token"] = "session";
  endpoints_[roles] = "role";
  gives(roles + "role", "NEW", 60);
  now_ms_ += minute;
  EXPECT_EQ(get(provider), "NEW");
}

// Credentials of a container's endpoint are kept, renewed and asked for again.
class Renewal : public Sources {
 protected:
  void SetUp() override {
    environment_["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/keys";
    environment_["AWS_EC2_METADATA_DISABLED"] = "true";
  }
  void gives(const std::string& key, std::uint64_t minutes) { Sources::gives(url_, key, minutes); }

  const std::string url_ = "169.254.170.2/keys";
  Provider provider_{sources(), ""};
};

TEST_F(Renewal, ComesFiveMinutesBeforeTheEnd) {
  gives("ONE", 60);
  EXPECT_EQ(get(provider_), "ONE");
  gives("TWO", 120);
  now_ms_ += 54 * minute;
  EXPECT_EQ(get(provider_), "ONE");
  EXPECT_EQ(asked_.size(), 1u);
  now_ms_ += minute;
  EXPECT_EQ(get(provider_), "TWO");
  EXPECT_EQ(asked_.size(), 2u);
}

TEST_F(Renewal, IsAwaitedByAllCallersWithoutCredentials) {
  gives("ONE", 60);
  EXPECT_EQ(get_all(provider_, {"", "", ""}), (Sentences{"ONE", "ONE", "ONE"}));
  EXPECT_EQ(asked_.size(), 1u);
}

TEST_F(Renewal, LeavesOtherCallersTheValidCredentials) {
  gives("ONE", 60);
  get(provider_);
  now_ms_ += 57 * minute;
  gives("TWO", 120);
  EXPECT_EQ(get_all(provider_, {"", ""}), (Sentences{"TWO", "ONE"}));
  EXPECT_EQ(asked_.size(), 2u);
}

TEST_F(Renewal, ThatFailsKeepsTheValidCredentialsAndIsTriedAgainLater) {
  gives("ONE", 60);
  get(provider_);
  endpoints_.clear();
  now_ms_ += 57 * minute;
  EXPECT_EQ(get(provider_), "ONE");
  EXPECT_EQ(get(provider_), "ONE");
  EXPECT_EQ(asked_.size(), 2u) << "not by every request";
  gives("TWO", 60);
  now_ms_ += minute;
  EXPECT_EQ(get(provider_), "TWO");
}

TEST_F(Renewal, IsNotTriedAtOnceAgainWhenThereIsNothing) {
  EXPECT_EQ(get_all(provider_, {"", ""}), (Sentences{"none", "none"}));
  EXPECT_EQ(get(provider_), "none");
  EXPECT_EQ(asked_.size(), 1u);
  gives("ONE", 60);
  now_ms_ += 9'999;
  EXPECT_EQ(get(provider_), "none");
  now_ms_ += 1;
  EXPECT_EQ(get(provider_), "ONE");
}

TEST_F(Renewal, IsTriedAgainAsSoonAlthoughTheClockIsSetBack) {
  EXPECT_EQ(get(provider_), "none");
  now_ms_ -= 60 * minute;
  set_back_ms_ += 60 * minute;
  gives("ONE", 60);
  now_ms_ += 9'999;
  EXPECT_EQ(get(provider_), "none");
  now_ms_ += 1;
  EXPECT_EQ(get(provider_), "ONE");
}

TEST_F(Renewal, ThatFailsEndsWhenTheCredentialsExpire) {
  gives("ONE", 60);
  get(provider_);
  endpoints_.clear();
  now_ms_ += 60 * minute;
  EXPECT_EQ(get(provider_), "none");
}

TEST_F(Renewal, FollowsARefusalAtOnceAndOnceForAllCallers) {
  gives("ONE", 60);
  get(provider_);
  gives("TWO", 120);
  EXPECT_EQ(get_all(provider_, {"ONE", "ONE", "ONE"}), (Sentences{"TWO", "TWO", "TWO"}));
  EXPECT_EQ(asked_.size(), 2u);
}

TEST_F(Renewal, ComesOnceThoughTheNewCredentialsSoonEndToo) {
  gives("ONE", 4);
  EXPECT_EQ(get_all(provider_, {"", "", ""}), (Sentences{"ONE", "ONE", "ONE"}));
  EXPECT_EQ(asked_.size(), 1u) << "every caller would wait for all before it";
  gives("TWO", 4);
  now_ms_ += 10'000;
  EXPECT_EQ(get_all(provider_, {"", ""}), (Sentences{"TWO", "ONE"}));
  EXPECT_EQ(asked_.size(), 2u);
}

TEST_F(Renewal, KeepsNewCredentialsWhenTheOldOnesWereRefused) {
  gives("ONE", 60);
  get(provider_);
  gives("TWO", 120);
  EXPECT_EQ(get(provider_, "ONE"), "TWO");
  endpoints_.clear();
  EXPECT_EQ(get(provider_, "ONE"), "TWO") << "refused before they were renewed";
  EXPECT_EQ(asked_.size(), 2u);
  EXPECT_EQ(get(provider_, "TWO"), "none");
}

TEST_F(Renewal, DoesNotReturnRefusedCredentialsWhileOthersFetch) {
  gives("ONE", 60);
  get(provider_);
  now_ms_ += 57 * minute;
  gives("TWO", 120);
  EXPECT_EQ(get_all(provider_, {"", "ONE"}), (Sentences{"TWO", "TWO"}));
  EXPECT_EQ(asked_.size(), 2u);
}

}  // namespace
}  // namespace quire::dynamodb
