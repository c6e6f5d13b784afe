// Who may write, what, and how often.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>

#include "http/application/application_fixture.h"

namespace quire::http {
namespace {

TEST_F(ApplicationTest, WithoutTokensNobodyMayWrite) {
  for (const Headers& headers : {Headers{}, Headers{{"Authorization", "Bearer anything"}}}) {
    auto response = post("42", headers);
    EXPECT_EQ(response.status, 403u);
    EXPECT_EQ(slug(response), "forbidden");
  }
  EXPECT_EQ(ask(Verb::delete_, "/v1/comments/01JD5ZK3V8Q6W3N0A9B7C5D2EF").status, 403u);
  EXPECT_EQ(store_.behaviour.inserts, 0);
}

TEST_F(ApplicationTest, OnlyATokenAllowsWrites) {
  auto token = token_with(options_, {.scopes = {desk::Scope::post}});
  const std::vector<std::string> wrong = {"",
                                          token,
                                          "Bearer",
                                          "Bearer ",
                                          "Bearer x",
                                          "Basic " + token,
                                          "Bearer " + token + "x",
                                          "Bearer  " + token};
  for (const auto& sent : wrong) {
    auto response = post("42", {{"Authorization", sent}});
    EXPECT_EQ(response.status, 401u) << sent;
    EXPECT_EQ(slug(response), "unauthorized") << sent;
    EXPECT_EQ(header(response, "WWW-Authenticate"), "Bearer realm=\"quire\"") << sent;
  }
  EXPECT_EQ(store_.behaviour.inserts, 0);
  for (std::string scheme : {"Bearer ", "bearer "}) {
    auto response = post("42", {{"Authorization", scheme + token}});
    EXPECT_EQ(response.status, 201u);
    EXPECT_EQ(header(response, "Location").substr(0, 13), "/v1/comments/");
    EXPECT_EQ(header(response, "Location").size(), 13 + Ulid::text_size);
  }
}

// A page of another site cannot post, even if its name was made to lead to this machine.
TEST_F(ApplicationTest, InADemoOnlyPagesOfThisMachinePost) {
  options_.desk.demo = true;
  EXPECT_EQ(post("42", {{"Origin", "http://localhost:8080"}}).status, 201u);
  EXPECT_EQ(post("42", {{"Origin", "http://evil.example"}}).status, 403u);
  host_ = "evil.example:8080";
  EXPECT_EQ(post("42", {{"Origin", "http://evil.example:8080"}}).status, 403u);
}

TEST_F(ApplicationTest, InADemoAnyonePostsButChangesNothing) {
  options_.desk.demo = true;
  EXPECT_EQ(post("42").status, 201u);
  EXPECT_EQ(post("42", {{"Authorization", "Bearer x"}}).status, 401u) << "a wrong token is wrong";
  EXPECT_EQ(ask(Verb::delete_, "/v1/comments/01JD5ZK3V8Q6W3N0A9B7C5D2EF").status, 401u);
  EXPECT_EQ(ask(Verb::patch, "/v1/comments/01JD5ZK3V8Q6W3N0A9B7C5D2EF").status, 401u);
}

TEST_F(ApplicationTest, PostsAreLimitedByClientAndByProduct) {
  options_.desk.demo = true;
  options_.desk.rates.client = 2;
  options_.desk.rates.product = 3;
  EXPECT_EQ(post("a", {}, "192.0.2.1").status, 201u);
  EXPECT_EQ(post("b", {}, "192.0.2.1").status, 201u);
  auto refused = post("c", {}, "192.0.2.1");
  EXPECT_EQ(refused.status, 429u);
  EXPECT_EQ(slug(refused), "rate-limited");
  auto wait = std::atoi(header(refused, "Retry-After").c_str());
  EXPECT_TRUE(wait >= 29 && wait <= 30) << wait;

  EXPECT_EQ(post("a", {}, "192.0.2.2").status, 201u);
  EXPECT_EQ(post("a", {}, "192.0.2.3").status, 201u);
  EXPECT_EQ(post("a", {}, "192.0.2.4").status, 429u) << "three posts for product a";
  EXPECT_EQ(post("b", {}, "192.0.2.4").status, 201u);
  EXPECT_EQ(store_.behaviour.inserts, 5);
}

TEST_F(ApplicationTest, ABodyThatIsEncodedIsRefused) {
  options_.desk.demo = true;
  const std::string address = "/v1/products/42/comments";
  for (std::string coding : {"gzip", "bogus", "identity, gzip", "br"}) {
    auto response = post("42", {{"Content-Encoding", coding}});
    EXPECT_EQ(response.status, 415u) << coding;
    EXPECT_EQ(slug(response), "unsupported-encoding") << coding;
    EXPECT_EQ(header(response, "Accept-Encoding"), "identity");
  }
  EXPECT_EQ(post("42", {{"Content-Encoding", "identity"}, {"Content-Encoding", "gzip"}}).status,
            415u);
  for (std::string coding : {"", "identity", "Identity"})
    EXPECT_EQ(post("42", {{"Content-Encoding", coding}}).status, 201u) << coding;
}

// The hosts that are this machine are in authority_test.cc.
TEST_F(ApplicationTest, InADemoARequestHasOneHostAndOneOrigin) {
  options_.desk.demo = true;
  for (std::string host : {"", "127.0.0.1.evil.example"}) {
    host_ = host;
    EXPECT_EQ(slug(post("42")), "forbidden") << host;
  }
  EXPECT_EQ(ask_bare(Verb::post, "/v1/products/42/comments", {{"Content-Type", "application/json"}},
                     R"({"rating":5})", false)
                .status,
            403u)
      << "HTTP/1.0 without a host";
  host_ = "127.7.7.7";
  EXPECT_EQ(post("42").status, 201u);
  EXPECT_EQ(post("42", {{"Origin", "http://127.7.7.7"}, {"Origin", "http://evil.example"}}).status,
            403u);
}

TEST_F(ApplicationTest, TheHostOfAWholeUrlOutweighsTheHostHeader) {
  options_.desk.demo = true;
  auto send = [&](const std::string& target) {
    return ask(Verb::post, target, {{"Content-Type", "application/json"}}, R"({"rating":5})");
  };
  EXPECT_EQ(send("http://evil.example/v1/products/42/comments").status, 403u);
  EXPECT_EQ(send("http://localhost@evil.example/v1/products/42/comments").status, 403u);
  host_ = "evil.example";
  EXPECT_EQ(send("http://localhost:8080/v1/products/42/comments").status, 201u);
}

TEST_F(ApplicationTest, EveryWriteCountsAgainstTheClientsLimit) {
  auto bearer = "Bearer " + token_with(options_, {.scopes = {desk::Scope::admin}});
  options_.desk.rates.client = 3;
  const std::string address = "/v1/comments/01JD5ZK3V8Q6W3N0A9B7C5D2EF";
  EXPECT_EQ(post("42", {{"Authorization", bearer}}).status, 201u);
  EXPECT_EQ(ask(Verb::patch, address,
                {{"Authorization", bearer}, {"Content-Type", "application/json"}}, "{}")
                .status,
            404u);
  EXPECT_EQ(ask(Verb::delete_, address, {{"Authorization", bearer}}).status, 204u);
  EXPECT_EQ(slug(ask(Verb::delete_, address, {{"Authorization", bearer}})), "rate-limited");
  EXPECT_EQ(slug(ask(Verb::patch, address, {{"Authorization", bearer}})), "rate-limited");
}

TEST_F(ApplicationTest, WrongTokensHaveALimitOfTheirOwn) {
  auto bearer = "Bearer " + token_with(options_, {.scopes = {desk::Scope::post}});
  options_.desk.rates.client = 3;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(post("42", {{"Authorization", "Bearer wrong"}}).status, 401u);
  auto refused = post("42", {{"Authorization", "Bearer wrong"}});
  EXPECT_EQ(slug(refused), "rate-limited");
  EXPECT_EQ(header(refused, "Retry-After"), "20");
  EXPECT_EQ(post("42", {{"Authorization", bearer}}).status, 201u);
  EXPECT_EQ(post("42", {{"Authorization", "Bearer wrong"}}, "192.0.2.9").status, 401u)
      << "another client";
}

// A second fixture.
struct Asked : ApplicationTest {
  using ApplicationTest::ask;
  using ApplicationTest::options_;
  using ApplicationTest::post;
  using ApplicationTest::slug;
  void TestBody() override {}
};

TEST(Scopes, ATokenMayDoWhatItsScopesSay) {
  struct Row {
    std::vector<desk::Scope> scopes;
    bool post, dated, edit;
  };
  for (const auto& [scopes, posts, dates, edits] :
       std::initializer_list<Row>{{{desk::Scope::post}, true, false, false},
                                  {{desk::Scope::edit}, false, false, true},
                                  {{desk::Scope::post, desk::Scope::edit}, true, false, true},
                                  {{desk::Scope::import}, true, true, false},
                                  {{desk::Scope::admin}, true, true, true}}) {
    Asked fresh;  // with an application of its own
    auto bearer = "Bearer " + token_with(fresh.options_, {.scopes = scopes});
    Headers sent = {{"Authorization", bearer}, {"Content-Type", "application/json"}};
    auto name = std::string(desk::scope_name(scopes.front()));
    EXPECT_EQ(fresh.post("42", {{"Authorization", bearer}}).status, posts ? 201u : 403u) << name;
    auto dated = fresh.ask(Verb::post, "/v1/products/42/comments", sent,
                           R"({"rating":5,"created_at":"2024-01-01T00:00:00Z"})");
    EXPECT_EQ(dated.status, dates ? 201u : 403u) << name;
    auto edited = fresh.ask(Verb::patch, "/v1/comments/01JD5ZK3V8Q6W3N0A9B7C5D2EF", sent, "{}");
    EXPECT_EQ(edited.status, edits ? 404u : 403u) << name;
    bool says = edited.body.find("edit") != edited.body.npos;
    EXPECT_TRUE(edits || says) << "what the token lacks";
    auto removed = fresh.ask(Verb::delete_, "/v1/comments/01JD5ZK3V8Q6W3N0A9B7C5D2EF", sent);
    EXPECT_EQ(removed.status, edits ? 204u : 403u) << name;
  }
}

TEST(Scopes, ATokenEnds) {
  Asked late, early;
  auto past = token_with(late.options_, {.scopes = {desk::Scope::admin}, .until = "2020-01-31"});
  auto refused = late.post("42", {{"Authorization", "Bearer " + past}});
  EXPECT_EQ(Asked::slug(refused), "unauthorized");
  EXPECT_NE(refused.body.find("2020-01-31"), std::string::npos);
  auto lasting =
      token_with(early.options_, {.scopes = {desk::Scope::admin}, .until = "9999-01-01"});
  EXPECT_EQ(early.post("42", {{"Authorization", "Bearer " + lasting}}).status, 201u);
}

TEST_F(ApplicationTest, ATokenIsForItsProducts) {
  auto bearer =
      "Bearer " + token_with(options_, {.scopes = {desk::Scope::post}, .product = "shop-a/"});
  EXPECT_EQ(post("shop-a%2F1", {{"Authorization", bearer}}).status, 201u);
  EXPECT_EQ(slug(post("shop-b%2F1", {{"Authorization", bearer}})), "forbidden");
  EXPECT_EQ(slug(post("shop-a", {{"Authorization", bearer}})), "forbidden");
}

TEST_F(ApplicationTest, AFutureDateIsAnInvalidComment) {
  options_.desk.demo = true;
  auto dated = [&](std::uint64_t ms) {
    return ask(Verb::post, "/v1/products/42/comments", {{"Content-Type", "application/json"}},
               R"({"rating":5,"created_at":")" + time_text(ms) + "\"}");
  };
  EXPECT_EQ(dated(now_ + 5 * 60'000).status, 201u);
  auto refused = dated(now_ + 5 * 60'000 + 1);
  EXPECT_EQ(slug(refused), "invalid-comment");
  EXPECT_TRUE(boost::json::parse(refused.body).at("errors").as_object().contains("created_at"));
  EXPECT_EQ(dated(max_time_ms).status, 422u);
}

TEST_F(ApplicationTest, NothingIsChangedIfItCannotBeRecorded) {
  auto bearer = "Bearer " + token_with(options_, {.scopes = {desk::Scope::admin}});
  auto log = desk::AuditLog::open("/dev/full").value();
  options_.desk.audit = log.get();
  log->add("a line\n");
  const std::string address = "/v1/comments/01JD5ZK3V8Q6W3N0A9B7C5D2EF";
  EXPECT_EQ(slug(ask(Verb::delete_, address, {{"Authorization", bearer}})), "backend-unavailable");
  EXPECT_EQ(slug(ask(Verb::patch, address,
                     {{"Authorization", bearer}, {"Content-Type", "application/json"}}, "{}")),
            "backend-unavailable");
  EXPECT_EQ(post("42", {{"Authorization", bearer}}).status, 201u) << "a post changes nothing";
}

}  // namespace
}  // namespace quire::http
