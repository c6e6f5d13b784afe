#include "dynamodb/retry.h"

#include <gtest/gtest.h>

namespace quire::dynamodb {
namespace {

FailureKind kind(unsigned status, std::string_view body) {
  return classify(status, body).kind;
}

TEST(Errors, AreKnownByTheNameBehindAnyPrefix) {
  for (std::string_view prefix : {"", "com.amazonaws.dynamodb.v20120810#",
                                  "com.amazon.coral.service#", "com.amazon.coral.validate#"}) {
    auto body = R"({"__type":")" + std::string(prefix) + R"(ValidationException","message":"no"})";
    auto failure = classify(400, body);
    EXPECT_EQ(failure.kind, FailureKind::permanent);
    EXPECT_EQ(failure.name, "ValidationException");
    EXPECT_EQ(failure.message, "no");
  }
  EXPECT_EQ(classify(400, R"({"__type":"x#ThrottlingException","Message":"slow"})").message,
            "slow");
}

TEST(Errors, AreDividedByWhetherAnotherTryMayHelp) {
  EXPECT_EQ(kind(400, R"({"__type":"ProvisionedThroughputExceededException"})"),
            FailureKind::throttled);
  EXPECT_EQ(kind(400, R"({"__type":"RequestLimitExceeded"})"), FailureKind::throttled);
  EXPECT_EQ(kind(400, R"({"__type":"LimitExceededException"})"), FailureKind::throttled);
  EXPECT_EQ(kind(500, R"({"__type":"InternalServerError"})"), FailureKind::transient);
  EXPECT_EQ(kind(400, R"({"__type":"ConditionalCheckFailedException"})"), FailureKind::condition);
  EXPECT_EQ(kind(400, R"({"__type":"ExpiredTokenException"})"), FailureKind::credentials);
  EXPECT_EQ(kind(400, R"({"__type":"RequestTimeTooSkewed"})"), FailureKind::clock);
  EXPECT_EQ(kind(400, R"({"__type":"ResourceNotFoundException"})"), FailureKind::missing);
  EXPECT_EQ(kind(400, R"({"__type":"AccessDeniedException"})"), FailureKind::permanent);
}

TEST(Errors, TellOfAnIndexThatIsBeingFilled) {
  auto body = R"({"__type":"com.amazon.coral.validate#ValidationException",)"
              R"("message":"Cannot read from backfilling global secondary index: byLang"})";
  EXPECT_EQ(kind(400, body), FailureKind::filling);
}

TEST(Errors, WithoutANameGoByTheirStatus) {
  for (auto status : {500u, 502u, 503u, 504u})
    EXPECT_EQ(kind(status, "<html>"), FailureKind::transient);
  EXPECT_EQ(kind(429, ""), FailureKind::throttled);
  EXPECT_EQ(kind(400, "[]"), FailureKind::permanent);
  EXPECT_EQ(kind(403, R"({"__type":7})"), FailureKind::permanent);
  EXPECT_EQ(classify(502, "<html>").message, "status 502");
}

TEST(Errors, OfATransactionGoByTheirReasons) {
  auto cancelled = [](std::string_view reasons) {
    return classify(400, R"({"__type":"x#TransactionCanceledException","CancellationReasons":)" +
                             std::string(reasons) + "}");
  };
  EXPECT_EQ(cancelled(R"([{"Code":"None"},{"Code":"TransactionConflict"}])").kind,
            FailureKind::conflict);
  EXPECT_EQ(cancelled(R"([{"Code":"ThrottlingError"},{"Code":"TransactionConflict"}])").kind,
            FailureKind::throttled);
  EXPECT_EQ(cancelled(R"([{"Code":"TransactionConflict"},{"Code":"ConditionalCheckFailed"}])").kind,
            FailureKind::condition);
  EXPECT_EQ(cancelled(R"([{"Code":"ItemCollectionSizeLimitExceeded"}])").kind,
            FailureKind::permanent);
  EXPECT_EQ(cancelled("[]").kind, FailureKind::permanent);
  EXPECT_EQ(cancelled("7").kind, FailureKind::permanent);
  EXPECT_EQ(cancelled(R"([3,{"Code":"TransactionConflict"}])").kind, FailureKind::permanent);
  EXPECT_EQ(cancelled(R"([{"Code":"None"},{"Code":"TransactionConflict"}])").reasons,
            (std::vector<std::string>{"None", "TransactionConflict"}));
}

}  // namespace
}  // namespace quire::dynamodb
