#include "dynamodb/credentials/services.h"

#include "client/scripted_server.h"
#include "dynamodb/credentials/places.h"

namespace quire::dynamodb {
namespace {

const std::string service = "https://sts.eu-west-1.amazonaws.com/";

class WebIdentities : public Sources {
 protected:
  void SetUp() override {
    environment_["AWS_WEB_IDENTITY_TOKEN_FILE"] = "/run/identity";
    environment_["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/shop";
    environment_["AWS_ROLE_SESSION_NAME"] = "shop one";
    files_["/run/identity"] = "a.b-c_d\n";
  }
};

TEST_F(WebIdentities, AreSentWithTheRole) {
  assumes(service, "ROLE", 60);
  EXPECT_EQ(find(), "ROLE");
  EXPECT_EQ(asked_, Sentences{"POST " + service});
  EXPECT_EQ(headers_["host"], "sts.eu-west-1.amazonaws.com");
  EXPECT_EQ(headers_["content-type"], "application/x-www-form-urlencoded; charset=utf-8");
  EXPECT_EQ(body_,
            "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3A"
            "role%2Fshop&RoleSessionName=shop%20one&WebIdentityToken=a.b-c_d");
  environment_.erase("AWS_ROLE_SESSION_NAME");
  find();
  EXPECT_NE(body_.find("&RoleSessionName=quire-" + std::to_string(now_ms_) + "&"),
            std::string::npos);
}

TEST_F(WebIdentities, AreReadAnewAtEachRenewal) {
  Provider provider(sources(), "", "eu-west-1");
  assumes(service, "ONE", 60);
  EXPECT_EQ(get(provider), "ONE");
  files_["/run/identity"] = "later";
  assumes(service, "TWO", 120);
  now_ms_ += 54 * minute;
  EXPECT_EQ(get(provider), "ONE");
  now_ms_ += minute;
  EXPECT_EQ(get(provider), "TWO");
  EXPECT_TRUE(body_.ends_with("&WebIdentityToken=later")) << body_;
}

TEST_F(WebIdentities, MayBeAProfiles) {
  environment_.clear();
  files_["config"] =
      "[profile shop]\nweb_identity_token_file = /run/identity\nrole_arn = arn:aws:iam::1:role/r\n"
      "role_session_name = mine\n";
  environment_["AWS_CONFIG_FILE"] = "config";
  assumes(service, "ROLE", 60);
  EXPECT_EQ(find("shop"), "ROLE");
  EXPECT_NE(body_.find("role%2Fr&RoleSessionName=mine&"), std::string::npos);
}

TEST_F(WebIdentities, ThatAreRefusedSayWhatToDo) {
  gives("169.254.170.2/keys", "CONTAINER", 60);
  environment_["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/keys";
  EXPECT_EQ(refusal(),
            "There are no credentials for the table: the security token service "
            "(sts.eu-west-1.amazonaws.com) does not answer. Check the network, and "
            "AWS_ENDPOINT_URL_STS.");
  status_ = 403;
  endpoints_[service] = "<Error><Code>AccessDenied</Code><Message>arn:aws:1</Message></Error>";
  EXPECT_EQ(refusal(),
            "There are no credentials for the table: the security token service refuses the web "
            "identity (AccessDenied). Check the role's trust policy and the token.");
  for (auto odd : {"<Code>a b</Code>", "<Code></Code>", "<Code>", "", "<html>"}) {
    endpoints_[service] = odd;
    EXPECT_NE(refusal().find("(status 403)"), std::string::npos) << odd;
  }
  for (auto odd : {"", "two words", "a\r\nhost: far"}) {
    files_["/run/identity"] = odd;
    EXPECT_NE(refusal().find("AWS_WEB_IDENTITY_TOKEN_FILE"), std::string::npos) << odd;
  }
  files_.erase("/run/identity");
  EXPECT_NE(refusal().find("cannot be read"), std::string::npos);
  environment_.erase("AWS_ROLE_ARN");
  EXPECT_NE(refusal().find("AWS_ROLE_ARN"), std::string::npos);
}

TEST_F(WebIdentities, GoToTheEndpointThatTheEnvironmentNames) {
  OneLoop loop;
  ScriptedServer server(loop.context());
  assumes("answer", "ROLE", 60);
  server.answers(success(endpoints_["answer"]));
  environment_["AWS_ENDPOINT_URL_STS"] = "http://127.0.0.1:" + server.port();
  auto over_the_network = sources();
  over_the_network.exchange = [&](HttpOrigin origin, HttpRequest request,
                                  Deadline deadline) -> Awaitable<Result<HttpResponse>> {
    HttpClient client(loop.context(), std::move(origin));
    co_return co_await client.send(std::move(request), deadline);
  };
  Provider provider(over_the_network, "", "eu-west-1");
  EXPECT_EQ(key_of(loop.run(provider.get())), "ROLE");
  ASSERT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(server.requests()[0].method_string(), "POST");
  EXPECT_TRUE(server.requests()[0].body().starts_with("Action=AssumeRoleWithWebIdentity&"));
}

}  // namespace
}  // namespace quire::dynamodb
