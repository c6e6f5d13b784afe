// A request with all its tries, at a service that gives scripted answers.
#include "dynamodb/table_client.h"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <deque>

#include "loop/loop.h"
#include "quire/ulid.h"

namespace quire::dynamodb {
namespace {

using Waits = std::vector<Milliseconds>;

HttpResponse refused(unsigned status, const std::string& name) {
  return {status, R"({"__type":"com.amazonaws.dynamodb.v20120810#)" + name +
                      R"(","message":"arn:aws:dynamodb:eu-west-1:123456789012:table/shop"})"};
}

const HttpResponse fine{200, R"({"Items":[]})"};
const HttpResponse throttled = refused(400, "ThrottlingException");
const HttpResponse in_trouble = refused(500, "InternalServerError");
const HttpResponse expired = refused(400, "ExpiredTokenException");

using Outcome = Result<HttpResponse>;
const Error unreachable{ErrorCode::unavailable, "reset"};

class Request : public testing::Test {
 protected:
  void answers(std::vector<Outcome> script) { script_.assign(script.begin(), script.end()); }

  Answer send(Call call = {"Query", R"({"TableName":"shop"})", Repeat::safe}) {
    return wait(client_.send(std::move(call)));
  }

  std::string header(std::size_t sent, std::string_view name) const {
    for (const auto& [each, value] : sent_.at(sent).headers) {
      if (each == name) return value;
    }
    return {};
  }

  void SetUp() override { spdlog::set_level(spdlog::level::off); }
  void TearDown() override {
    spdlog::set_level(spdlog::level::info);
    EXPECT_TRUE(script_.empty()) << "not asked for";
  }

  Awaitable<Outcome> exchange(HttpRequest request, Deadline deadline) {
    patience_.push_back(deadline - std::chrono::steady_clock::now());
    sent_.push_back(std::move(request));
    if (script_.empty()) throw std::logic_error("asked too often");
    auto next = std::move(script_.front());
    script_.pop_front();
    co_return next;
  }
  Awaitable<Result<Credentials>> credentials(std::string refused) {
    refused_.push_back(refused);
    if (!refused.empty() && keys_) keys_->access_key = "NEW";
    if (!keys_) co_return Error{ErrorCode::unavailable, "There are no credentials."};
    co_return *keys_;
  }
  Awaitable<void> sleep(Milliseconds time) {
    slept_.push_back(time);
    co_return;
  }

  std::deque<Outcome> script_;
  std::vector<HttpRequest> sent_;
  std::vector<Deadline::duration> patience_;  // with each try
  Waits slept_;
  std::vector<std::string> refused_;  // the keys for which others were wanted
  std::optional<Credentials> keys_ = Credentials{"OLD", "secret", "token"};
  std::uint64_t now_ms_ = parse_time("2024-11-20T12:00:00Z").value();
  TableClient client_{{"shop", "eu-west-1", {false, "127.0.0.1", "8000"}},
                      {[this](HttpRequest request, Deadline deadline) {
                         return exchange(std::move(request), deadline);
                       },
                       [this](std::string refused) { return credentials(std::move(refused)); },
                       [this] { return now_ms_; }, [] { return 0.5; },
                       [this](Milliseconds time) { return sleep(time); }}};
};

TEST_F(Request, ThatSucceedsIsSentOnce) {
  answers({fine});
  auto answer = send();
  EXPECT_FALSE(answer.failure);
  EXPECT_FALSE(answer.unclear);
  EXPECT_EQ(answer.body, fine.body);
  ASSERT_EQ(sent_.size(), 1u);
  EXPECT_EQ(sent_[0].method, "POST");
  EXPECT_EQ(sent_[0].body, R"({"TableName":"shop"})");
  EXPECT_EQ(header(0, "host"), "127.0.0.1:8000");
  EXPECT_EQ(header(0, "x-amz-target"), "DynamoDB_20120810.Query");
  EXPECT_EQ(header(0, "content-type"), "application/x-amz-json-1.0");
  EXPECT_EQ(header(0, "x-amz-date"), "20241120T120000Z");
  EXPECT_EQ(header(0, "x-amz-security-token"), "token");
  EXPECT_TRUE(header(0, "authorization")
                  .starts_with("AWS4-HMAC-SHA256 "
                               "Credential=OLD/20241120/eu-west-1/dynamodb/aws4_request, "));
  EXPECT_EQ(client_.metrics().requests, 1u);
  EXPECT_EQ(client_.metrics().retries, 0u);
  EXPECT_EQ(client_.metrics().failed, 0u);
}

TEST_F(Request, HasLessTimeForOneTryThanForAllUnlessItIsSlow) {
  answers({fine, fine});
  send();
  send({"TransactWriteItems", "{}", Repeat::safe, true});
  EXPECT_LE(patience_.at(0), TableClient::try_timeout);
  EXPECT_GT(patience_.at(1), TableClient::try_timeout);
  EXPECT_LE(patience_.at(1), TableClient::request_timeout);
}

TEST_F(Request, GoesToTheApiThatIsNamed) {
  answers({fine});
  wait(client_.send({"GetRecords", "{}", Repeat::safe}, "DynamoDBStreams_20120810"));
  EXPECT_EQ(header(0, "x-amz-target"), "DynamoDBStreams_20120810.GetRecords");
}

TEST_F(Request, ThatWasThrottledIsSentAgainLater) {
  answers({throttled, throttled, fine});
  auto answer = send();
  EXPECT_FALSE(answer.failure);
  EXPECT_FALSE(answer.unclear) << "nothing was applied";
  EXPECT_EQ(slept_, (Waits{Milliseconds(500), Milliseconds(1000)}));
  EXPECT_EQ(client_.metrics().requests, 1u);
  EXPECT_EQ(client_.metrics().retries, 2u);
  EXPECT_EQ(client_.metrics().throttled, 2u);
  EXPECT_EQ(client_.metrics().failed, 0u);
}

TEST_F(Request, ThatMayHaveBeenAppliedIsUnclearEvenIfALaterTrySucceeds) {
  answers({in_trouble, fine});
  auto answer = send();
  EXPECT_FALSE(answer.failure);
  EXPECT_TRUE(answer.unclear);
  EXPECT_EQ(slept_, Waits{Milliseconds(12)});
  EXPECT_EQ(client_.metrics().retries, 1u);
  EXPECT_EQ(client_.metrics().throttled, 0u);
}

TEST_F(Request, IsGivenUpAfterFourTriesWithTheLastFailure) {
  answers({unreachable, in_trouble, in_trouble, throttled});
  auto answer = send();
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->kind, FailureKind::throttled);
  EXPECT_EQ(answer.failure->name, "ThrottlingException");
  EXPECT_TRUE(answer.unclear);
  EXPECT_EQ(sent_.size(), 4u);
  EXPECT_EQ(client_.metrics().retries, 3u);
  EXPECT_EQ(client_.metrics().throttled, 1u);
  EXPECT_EQ(client_.metrics().failed, 1u);
}

TEST_F(Request, ThatWouldFailAgainIsNotRepeated) {
  for (auto name : {"ValidationException", "ConditionalCheckFailedException",
                    "AccessDeniedException", "ResourceNotFoundException"}) {
    sent_.clear();
    answers({refused(400, name)});
    auto answer = send();
    ASSERT_TRUE(answer.failure);
    EXPECT_EQ(answer.failure->name, name);
    EXPECT_FALSE(answer.unclear);
    EXPECT_EQ(sent_.size(), 1u);
  }
  EXPECT_EQ(client_.metrics().failed, 3u) << "a condition that does not hold is an answer";
}

TEST_F(Request, ThatMustNotBeAppliedTwiceIsRepeatedOnlyIfItWasNotApplied) {
  Call unsafe{"UpdateItem", "{}", Repeat::unsafe};
  for (const Outcome& doubtful : {Outcome(in_trouble), Outcome(unreachable)}) {
    answers({doubtful});
    auto answer = send(unsafe);
    EXPECT_TRUE(answer.failure);
    EXPECT_TRUE(answer.unclear);
  }
  answers({throttled, fine});
  EXPECT_FALSE(send(unsafe).failure);
}

TEST_F(Request, IsRepeatedWhenItsAnswersChecksumIsWrong) {
  auto with_checksum = [](const char* sum) {
    return HttpResponse{200, "{}", {{"X-Amz-Crc32", sum}}};
  };
  answers({with_checksum("1"), with_checksum("2745614147")});
  auto answer = send();
  EXPECT_FALSE(answer.failure);
  EXPECT_TRUE(answer.unclear);
  EXPECT_EQ(sent_.size(), 2u);
  answers({HttpResponse{200, "{}"}});
  EXPECT_FALSE(send().failure) << "not every server sends one";
  EXPECT_EQ(sent_.size(), 3u);
}

TEST_F(Request, IsRepeatedWhenItsAnswerIsCutOff) {
  answers({HttpResponse{200, R"({"Items":[)"}, HttpResponse{200, ""}, fine});
  EXPECT_EQ(send().body, fine.body);
  EXPECT_EQ(sent_.size(), 3u);
}

TEST_F(Request, OfATransactionKeepsItsTokenInEveryTry) {
  answers({in_trouble, refused(400, "TransactionInProgressException"), fine});
  Action put{Action::Kind::put, {{"PK", string("COMMENT#1")}}};
  EXPECT_FALSE(send(transact("shop", {put}, "this-token")).failure);
  ASSERT_EQ(sent_.size(), 3u);
  EXPECT_NE(sent_[0].body.find("this-token"), std::string::npos);
  EXPECT_EQ(sent_[1].body, sent_[0].body);
  EXPECT_EQ(sent_[2].body, sent_[0].body);
}

TEST_F(Request, IsSignedAfreshOnceWhenItsCredentialsExpired) {
  answers({expired, fine});
  EXPECT_FALSE(send().failure);
  EXPECT_EQ(refused_, (std::vector<std::string>{"", "OLD"}));
  EXPECT_NE(header(0, "authorization").find("Credential=OLD/"), std::string::npos);
  EXPECT_NE(header(1, "authorization").find("Credential=NEW/"), std::string::npos);

  refused_.clear();
  answers({expired, expired});
  auto answer = send();
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->kind, FailureKind::credentials);
  EXPECT_EQ(refused_, (std::vector<std::string>{"", "NEW"}));
}

TEST_F(Request, AsksForOtherCredentialsOnlyAfterTheyWereRefused) {
  answers({throttled, expired, throttled, fine});
  EXPECT_FALSE(send().failure);
  EXPECT_EQ(refused_, (std::vector<std::string>{"", "", "OLD", ""}));
}

TEST_F(Request, WithoutCredentialsIsNotSentAndFails) {
  keys_.reset();
  auto answer = send();
  ASSERT_TRUE(answer.failure);
  EXPECT_TRUE(sent_.empty());
  EXPECT_FALSE(answer.unclear);
  auto error = error_of(*answer.failure);
  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_EQ(error.message, "There are no credentials.");
}

TEST_F(Request, IsSignedWithTheServicesTimeOnceItIsKnown) {
  auto skewed = refused(400, "RequestTimeTooSkewed");
  skewed.headers = {{"Date", "Wed, 20 Nov 2024 13:02:03 GMT"}};
  answers({skewed, fine});
  EXPECT_FALSE(send().failure);
  EXPECT_EQ(header(0, "x-amz-date"), "20241120T120000Z");
  EXPECT_EQ(header(1, "x-amz-date"), "20241120T130203Z");
  now_ms_ += 60'000;
  answers({fine});
  send();
  EXPECT_EQ(header(2, "x-amz-date"), "20241120T130303Z") << "and the next requests, too";
}

TEST_F(Request, KeepsItsOwnTimeWhenTheServiceSendsNone) {
  for (auto date : {"", "soon", "20 Nov 2024"}) {
    auto skewed = refused(400, "RequestTimeTooSkewed");
    skewed.headers = {{"date", date}};
    sent_.clear();
    answers({skewed, skewed});
    EXPECT_EQ(send().failure->kind, FailureKind::clock) << "tried once more, and only once";
    EXPECT_EQ(header(1, "x-amz-date"), "20241120T120000Z");
  }
}

TEST_F(Request, WaitsAtLeastAsLongAsItIsAskedTo) {
  auto busy = [](const std::string& header, const std::string& after) {
    HttpResponse response = in_trouble;
    response.headers = {{header, after}};
    return response;
  };
  answers({busy("x-amz-retry-after", "700"), busy("x-amz-retry-after", "5"), fine});
  EXPECT_FALSE(send().failure);
  EXPECT_EQ(slept_, (Waits{Milliseconds(700), Milliseconds(25)}));

  slept_.clear();
  answers({busy("Retry-After", "3"), fine});
  EXPECT_FALSE(send().failure);
  EXPECT_EQ(slept_, (Waits{Milliseconds(3000)})) << "it has seconds";

  slept_.clear();
  auto both = busy("Retry-After", "3");
  both.headers.emplace_back("x-amz-retry-after", "700");
  answers({both, fine});
  EXPECT_FALSE(send().failure);
  EXPECT_EQ(slept_, (Waits{Milliseconds(700)})) << "the service's wait, not the proxy's";

  slept_.clear();
  answers({busy("Retry-After", "Wed, 20 Nov 2024 13:02:03 GMT"), busy("Retry-After", "-5"),
           busy("x-amz-retry-after", "700 ms"), fine});
  EXPECT_FALSE(send().failure);
  EXPECT_EQ(slept_, (Waits{Milliseconds(12), Milliseconds(25), Milliseconds(50)}));

  answers({busy("x-amz-retry-after", "20000")});
  EXPECT_TRUE(send().failure) << "it would come after the request's deadline";
}

TEST_F(Request, IsNotRepeatedOnceTheBudgetOfAllRequestsIsSpent) {
  answers(std::vector<Outcome>(100, in_trouble));
  for (int i = 0; i < 12; ++i) EXPECT_TRUE(send().failure);
  EXPECT_EQ(client_.metrics().retries, RetryBudget::full / 14u);
  sent_.clear();
  EXPECT_TRUE(send().failure);
  EXPECT_EQ(sent_.size(), 1u);
  script_.clear();
}

TEST_F(Request, ForAnItemReturnsTheItemAndCountsItsPrice) {
  Item key{{"PK", string("COMMENT#1")}};
  answers({HttpResponse{200, R"({"Item":{"PK":{"S":"COMMENT#1"}},"ConsumedCapacity":)"
                             R"({"CapacityUnits":1.5}})"},
           HttpResponse{200, R"({"ConsumedCapacity":{"CapacityUnits":0.5}})"}});
  EXPECT_EQ(wait(client_.get(key)).value().item, key);
  EXPECT_FALSE(wait(client_.get(key)).value().item);
  EXPECT_EQ(client_.metrics().consumed, 2);
  answers({HttpResponse{200, R"({"Item":7})"}});
  EXPECT_EQ(wait(client_.get(key)).error().code, ErrorCode::unavailable) << "damaged";
  answers({refused(400, "ResourceNotFoundException")});
  EXPECT_EQ(wait(client_.get(key)).error().code, ErrorCode::unavailable);
}

TEST_F(Request, PausesLongerEachRoundUpToABound) {
  for (int round : {0, 1, 6, 7, 1000})
    wait([&]() -> Awaitable<bool> {
      co_await client_.pause(round);
      co_return true;
    }());
  EXPECT_EQ(slept_, (Waits{Milliseconds(5), Milliseconds(10), Milliseconds(320), Milliseconds(320),
                           Milliseconds(320)}));
}

TEST_F(Request, ThatFailsKeepsTheServicesWordsToTheLog) {
  const std::string secret = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop";
  for (FailureKind kind : {FailureKind::transient, FailureKind::throttled, FailureKind::condition,
                           FailureKind::conflict, FailureKind::credentials, FailureKind::clock,
                           FailureKind::missing, FailureKind::permanent}) {
    auto error = error_of({kind, "SomeException", secret, {secret}});
    EXPECT_EQ(error.code, ErrorCode::unavailable);
    EXPECT_FALSE(error.message.empty());
    EXPECT_EQ(error.message.find("arn:"), std::string::npos) << error.message;
    EXPECT_EQ(error.message.find("123456789012"), std::string::npos) << error.message;
    EXPECT_EQ(error.message.find("shop"), std::string::npos) << error.message;
  }
  EXPECT_NE(error_of({FailureKind::permanent, "ValidationException", secret}).message,
            error_of({FailureKind::permanent, "AccessDeniedException", secret}).message)
      << "operators see which it was";
}

}  // namespace
}  // namespace quire::dynamodb
